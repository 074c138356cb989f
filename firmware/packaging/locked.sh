#!/bin/sh
# The part of requirements.lock that refereeing needs and apt does not bring: what pyproject.toml names as dependencies,
# what those need in turn (the lock says after "via" who needs what), less apt's.
#
#   sh firmware/packaging/locked.sh           for one table
#   sh firmware/packaging/locked.sh club      with what clubs need
#   sh firmware/packaging/locked.sh dev       with everything
#
# A Python's version as second word: 3.11 is Bookworm's, whose camera library is built for NumPy 1. Later ones run with the
# lock's NumPy, which takes a seventh less of a picture than apt's.
set -eu
cd "$(dirname "$0")/../.."
awk -v more="${1:-}" -v python="${2:-3.11}" '
    BEGIN { apt["pygame-ce"] = apt["pygame"] = 1; if (python == "3.11") apt["numpy"] = 1 }
    FILENAME == "pyproject.toml" {
        if (/^\]/) inside = 0
        if (inside && match($0, /"[A-Za-z0-9-]+/)) needed[substr($0, RSTART + 1, RLENGTH - 1)] = 1
        if (/^dependencies = \[/ || more != "" && $0 ~ "^" more " = \\[") inside = 1
        next
    }
    /^[A-Za-z]/ { name = $1; sub(/==.*/, "", name); order[++count] = name }
    name != "" { text[name] = text[name] $0 "\n" }
    /^    # via [a-z]/ { needs[$3, name] = 1 }
    /^    #   [a-z]/ { needs[$2, name] = 1 }
    END {
        for (grew = 1; grew;) {
            grew = 0
            for (pair in needs) {
                split(pair, of, SUBSEP)
                if (!(of[2] in needed) && (more == "dev" || of[1] in needed && !(of[1] in apt))) grew = needed[of[2]] = 1
            }
        }
        for (i = 1; i <= count; i++) if (order[i] in needed && !(order[i] in apt)) printf "%s", text[order[i]]
    }' pyproject.toml requirements.lock
