#!/bin/sh
# The project as a Raspberry Pi has it, emulated: an arm64 Debian with apt's libraries, set up as the installer does it, a
# match played there, and the instructions counted that a frame and a start cost.
#
#   sh tests/bench/arm64_in_debian.sh SUITE [STEP...]          bookworm or trixie; all steps unless some are named
#
#   install   the packages that firmware/install.sh names, as far as Debian has them, then firmware/setup.sh as on a Pi
#   match     a whole match with every warning shown, and the golden records of tests/ judged anew
#   count     instructions of every frame of a film (FILM=FOLDER, which can make its frames) and of a simulated match,
#             and of a start up to the first table; printed as a table
#
# VARIANTS  for count, of: installed openblas reference wheels. Other BLAS libraries than the installed one, and pip's OpenCV
#           and NumPy (as OPENCV and NUMPY say, otherwise the lock's)
# RUNS      for count: film match match-720 start, or some of them       FRAMES  so many frames of each (default 120)
# TOP=N     for count: the N libraries and functions with the most instructions, after warm-up
# AROUND    for count: functions to count apart, as "module:function module:Class.function"
# ROOTS     where the systems are kept between runs (default /var/tmp/engarde-arm64, 2 GB each)
# MIRROR    of Debian
#
# Root, a network, mmdebstrap, arch-test, qemu-user, qemu-user-static, gcc and binutils are needed. The first install takes
# half an hour, a match some minutes, a count of 120 frames a few. No clock is read: a busy machine gives the same counts.
# The emulated processor is a Pi 5's; a newer one's pointer authentication would take many times as long.
set -eu
suite=${1:?bookworm or trixie}
shift
[ $# -gt 0 ] || set -- install match count
cd "$(dirname "$0")/../.."
roots=${ROOTS:-/var/tmp/engarde-arm64}
root=$roots/$suite
home=/srv/en-garde
counting=/srv/counting
python=${PYTHON:-.venv/bin/python}
export QEMU_CPU="${QEMU_CPU:-cortex-a76}"
log=$(mktemp)

say() { printf '%s  %s\n' "$(date +%T)" "$*"; }
fail() { say "WRONG: $*"; tail -n 25 "$log"; exit 1; }
expect() { # expect WHAT IS SHOULD
    if [ "$2" = "$3" ]; then say "well: $1: $2"; else fail "$1: expected $3, found $2"; fi
}
clear_away() { # or nothing: removing the root would remove what is mounted in it
    for mounted in "$root$counting/frames" "$root/proc/cpuinfo" "$root/proc"; do mountpoint -q "$mounted" && umount "$mounted"; done
    rm -f "$log" "$log.here"
}
trap clear_away EXIT
trap 'exit 1' HUP INT TERM

reach=$(env | grep '^PIP_' | grep -v ' ' || true)
inside() { # inside COMMAND: in the root, from the project's folder, without this machine's settings
    # shellcheck disable=SC2086
    chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 QEMU_CPU="$QEMU_CPU" \
        DEBIAN_FRONTEND=noninteractive SDL_VIDEODRIVER=dummy SDL_AUDIODRIVER=dummy OPENBLAS_NUM_THREADS=1 $reach \
        sh -c "cd $home && $1"
}

# What firmware/install.sh asks apt for, less what only Raspberry Pi's own archive has.
packages=$(sed -n "/^PACKAGES='/,/'\$/p" firmware/install.sh | tr -d "'\n" | sed 's/^PACKAGES=//')
packages=$(printf '%s\n' $packages | grep -vxE 'python3-picamera2|python3-lgpio' | tr '\n' ',')

# apt chooses the packages as on a Pi; they are unpacked, not configured, which would take half an hour: what their scripts
# do and this needs is done here. OpenBLAS, where the installer asks for it, takes the place of the reference BLAS, as
# Debian's alternatives have it.
make_root() {
    [ "$(cat "$root/engarde-packages" 2>/dev/null)" != "$packages" ] || return 0
    rm -rf --one-file-system "$root"
    mkdir -p "$roots"
    # shellcheck disable=SC2016
    mirror=${MIRROR:-$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep -v security | head -n 1)}
    blas=libblas3,liblapack3,libopenblas0-pthread # both, so that they can be compared
    base=apt,base-files,base-passwd,bash,ca-certificates,coreutils,dash,findutils,grep,gzip,libc-bin,mawk,netbase,sed,tar,util-linux
    mmdebstrap --quiet --variant=extract --architectures=arm64 --include="$base,$blas,$packages" "$suite" "$root" "$mirror" \
        >"$log" 2>&1 || fail 'Debian for arm64 could not be had'
    mkdir -p "$root/proc" "$root/tmp" "$root/root" "$root/run" "$root/dev" "$root/etc/ssl/certs"
    for file in passwd group; do cp "$root/usr/share/base-passwd/$file.master" "$root/etc/$file"; done
    [ -e "$root/bin/sh" ] || ln -s dash "$root/usr/bin/sh"
    ln -sf mawk "$root/usr/bin/awk"
    [ -c "$root/dev/null" ] || mknod -m 666 "$root/dev/null" c 1 3
    [ -c "$root/dev/urandom" ] || mknod -m 666 "$root/dev/urandom" c 1 9
    mkdir -p "$root/dev/shm"
    choose_blas
    chroot "$root" /usr/bin/python3 -m compileall -q /usr/lib/python3/dist-packages >"$log" 2>&1 || true # apt does at installing
    printf '%s' "$packages" >"$root/engarde-packages"
    say "Debian $suite for arm64, $(du -sm "$root" | cut -f 1) MB: $packages"
}

choose_blas() { # choose_blas [openblas|reference]: without a word the one that the installer brings
    libraries=$root/usr/lib/aarch64-linux-gnu
    case ${1:-$packages} in *openblas*) wanted=openblas-pthread ;; *) wanted= ;; esac
    for library in blas lapack; do
        folder=${wanted:-$library}
        ln -sf "$folder/lib$library.so.3" "$libraries/lib$library.so.3"
    done
    ln -sf openblas-pthread/libopenblas.so.0 "$libraries/libopenblas.so.0"
    chroot "$root" /sbin/ldconfig
}

mountpoint -q "$root/proc" && trap - EXIT && fail "$root is in use: let the other run end, or take another folder with ROOTS"
clear_away
formats=/proc/sys/fs/binfmt_misc
[ -e $formats/register ] || mount -t binfmt_misc none $formats
[ -e $formats/qemu-aarch64 ] || cat /usr/lib/binfmt.d/qemu-aarch64.conf >$formats/register
make_root
mount -t proc proc "$root/proc"
printf 'processor\t: 0\nHardware\t: BCM2835\nRevision\t: d04170\nModel\t\t: Raspberry Pi 5 Model B (emulated)\n' >"$root/etc/cpuinfo-of-a-pi"
mount --bind "$root/etc/cpuinfo-of-a-pi" "$root/proc/cpuinfo"
cp -L /etc/resolv.conf "$root/etc/resolv.conf"
# How pip reaches packages here is the machine's own business, and goes with it; BRING names folders it wants for that.
for file in /etc/pip.conf "${HOME:-/}/.config/pip/pip.conf" "${HOME:-/}/.pip/pip.conf"; do
    [ ! -f "$file" ] || { cp "$file" "$root/etc/pip.conf"; break; }
done
for folder in ${BRING:-}; do mkdir -p "$root$folder" && cp -r "$folder/." "$root$folder"; done
cp -L /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"

# This folder's files, changes and all; what setting up made there stays.
mkdir -p "$root$home" "$root$counting"
find "$root$home" -mindepth 1 -maxdepth 1 ! -name .venv ! -name '*.egg-info' -exec rm -rf {} +
git ls-files -z --cached --others --exclude-standard | xargs -0 -I{} sh -c '[ ! -e "$1" ] || printf "%s\0" "$1"' - {} | xargs -0 cp --parents -t "$root$home"

install() {
    inside 'sh firmware/setup.sh' >"$log" 2>&1 || fail 'firmware/setup.sh'
    tail -n 1 "$log"
    say "$(inside 'du -sm .venv' | cut -f 1) MB in .venv: $(inside 'ls -d .venv/lib/python3*/site-packages/*.dist-info' | sed 's|.*/||; s|-.*||' | sort | tr '\n' ' ')"
}

match() {
    inside 'rm -rf /tmp/match && mkdir /tmp/match && HOME=/tmp/match PYTHONWARNINGS=default .venv/bin/engarde demo --headless --points 1 --seed 3 --out /tmp/match/shown' >"$log" 2>&1 ||
        fail 'the match'
    say "well: a match: $(tail -n 1 "$log")"
    expect 'warnings of the project' "$(grep -c 'en-garde/\(engine\|vision\|display\|firmware\).*Warning' "$log" || true)" 0
    grep 'Warning' "$log" | sort -u || true
    for record in tests/golden/*.record; do
        "$python" -m firmware judge --record "$record" >"$log.here" 2>&1 || fail "$record on this machine"
        inside "PYTHONWARNINGS=default .venv/bin/engarde judge --record $record" >"$log" 2>&1 || fail "$record"
        cmp -s "$log" "$log.here" || fail "$record: judged otherwise than on this machine, or with a warning"
    done
    say "well: judged byte for byte as on this machine: $(ls tests/golden/*.record | wc -l) golden records"
}

# QEMU with its libraries, beside the system: what runs under it can be counted, and the processes that it starts too.
make_counter() {
    mkdir -p "$root$counting/lib" "$root$counting/runs"
    rm -f "$root$counting"/runs/*
    cc -O2 -shared -fPIC -o "$root$counting/count.so" tests/bench/arm64_count.c
    qemu=$(command -v qemu-aarch64)
    cp "$qemu" "$root$counting/qemu"
    ldd "$qemu" | sed -n 's|.*=> \(/[^ ]*\) .*|\1|p' | xargs cp -L -t "$root$counting/lib"
    cp -L "$(ldd "$qemu" | sed -n 's|^[[:space:]]*\(/[^ ]*/ld-[^ ]*\) .*|\1|p')" "$root$counting/lib/ld.so"
    # shellcheck disable=SC2016
    printf '#!/bin/sh\nexec %s --library-path %s %s -plugin "$COUNTER" %s "$@"\n' $counting/lib/ld.so $counting/lib \
        $counting/qemu $home/.venv/bin/python >"$root$counting/python"
    chmod 755 "$root$counting/python"
    mkdir -p "$root$counting/frames"
    mount --bind "$roots/frames" "$root$counting/frames"
}

counted() { # counted NAME ENVIRONMENT WORDS: one run, named
    name=$1 settings=$2
    shift 2
    run=$counting/runs/$name
    rm -f "$root$run".*
    inside "env COUNTER=$counting/count.so,counter=$run.counter,marks=$run.marks,blocks=$run.blocks \
        COUNTED_PYTHON=$counting/python $settings HOME=$counting $counting/python tests/bench/bench_arm64.py $* --out $run.json" >"$log" 2>&1 ||
        fail "counting $name"
    rm -f "$root$run.counter"
    say "counted $name"
}

# Libraries as pip has them, beside the system: get_wheels REQUIREMENT...
get_wheels() {
    version=$(inside '.venv/bin/python -c "import sys; print(sys.version_info[1])"')
    rm -rf "$root$counting/wheels"
    "$python" -m pip install -q --disable-pip-version-check --no-deps --only-binary=:all: --implementation cp --python-version "3.$version" \
        --platform manylinux2014_aarch64 --platform manylinux_2_27_aarch64 --platform manylinux_2_28_aarch64 \
        --target "$root$counting/wheels" "$@" >"$log" 2>&1 || fail 'no wheels'
    inside "/usr/bin/python3 -m compileall -q $counting/wheels" >"$log" 2>&1 || true
}

count() {
    # The pictures are made on this machine, once.
    PYTHONPATH=.:tests/bench "$python" tests/bench/bench_arm64.py frames "$roots/frames" ${FILM:+--film "$FILM"} --most 440
    inside '.venv/bin/python -m compileall -q engine vision display firmware' >"$log" 2>&1 || fail 'compiling' # as setup.sh does
    opencv=${OPENCV:-$(sed -n 's/^\(opencv-python-headless==[^ ]*\) .*/\1/p' requirements.lock)}
    numpy=${NUMPY:-$(sed -n 's/^\(numpy==[^ ]*\) .*/\1/p' requirements.lock)}
    make_counter
    for variant in ${VARIANTS:-installed}; do
        environment=
        case $variant in
            installed) choose_blas ;;
            openblas | reference) choose_blas "$variant" ;;
            wheels) get_wheels "$opencv" "$numpy" && environment=PYTHONPATH=$counting/wheels ;;
            *) fail "expected a variant of installed, openblas, reference, wheels, found $variant" ;;
        esac
        for what in ${RUNS:-film match match-720 start}; do
            case $what in
                # Without and with the processes of the readers, which load OpenCV once more, on another core.
                start) [ ! -d "$roots/frames/film" ] || for alone in yes ''; do
                    counted "$variant-start${alone:+-alone}" "ALONE=$alone $environment" start $counting/frames/film
                done ;;
                *)
                    [ -e "$roots/frames/$what.npy" ] || continue
                    # shellcheck disable=SC2046
                    counted "$variant-$what" "$environment" looks "$counting/frames/$what.npy" --most "${FRAMES:-120}" ${TOP:+--blocks} \
                        $(printf -- ' --around %s' ${AROUND:-} | sed 's/--around *$//')
                    ;;
            esac
        done
    done
    choose_blas
    "$python" tests/bench/bench_arm64.py table "$root$counting/runs" --top "${TOP:-0}" --root "$root"
}

for step; do
    case $step in
        install | match | count) "$step" ;;
        *) fail "expected a step of install, match, count, found $step" ;;
    esac
done
