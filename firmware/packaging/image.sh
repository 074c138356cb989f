#!/bin/sh
# The card's image, with Raspberry Pi's own rpi-image-gen (its folder is the second word):
#
#   sh firmware/packaging/image.sh check ~/rpi-image-gen   its linter, configuration and layers, everywhere, in seconds
#   sh firmware/packaging/image.sh build ~/rpi-image-gen   into build/release: an image for a Pi 4 and one for a Pi 5, and
#                                                          what Raspberry Pi Imager reads about them; on Debian for arm64
#
# rpi-image-gen's own page says what it wants installed.
set -eu
cd "$(dirname "$0")/../.."
what=${1:-}
generator=${2:-}
source=$(pwd)/firmware/packaging/image
case $what in check | build) ;; *) sed -n '4,6s/^# \{0,1\}//p' "$0" >&2; exit 2 ;; esac
[ -x "$generator/bin/ig" ] || { echo "expected rpi-image-gen's folder as the second word, found ${generator:-nothing}" >&2; exit 2; }
generator=$(cd "$generator" && pwd)
MODELS='pi4 pi5'
version=$(sed -n 's/^version = "\(.*\)"$/\1/p' pyproject.toml)

# What rpi-image-gen does before it builds: every layer it names is there, and every variable has a value it allows.
check() {
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    ig() { env PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 "$generator/bin/ig" "$@" >>"$work/said" 2>&1 || { cat "$work/said"; exit 1; }; }
    mkdir "$work/layer"
    paths=DYNlayer=$work/layer:src=$source/layer:layer=$generator/layer:device=$generator/device:image=$generator/image
    ig metadata --lint "$source/layer/engarde.yaml"
    echo 'layer/engarde.yaml: nothing to say'
    : >"$work/overrides"
    for model in $MODELS; do
        ig config --path "$source/config:$generator/config" "engarde-$model.yaml" --overrides "$work/overrides" \
            --write-to "$work/user.env"
        {
            /usr/bin/python3 -B "$generator/bin/ig" metadata --emit "$generator/registry.defs"
            cat "$work/user.env"
            printf '%s="%s"\n' DEB_BUILD_ARCH arm64 DEB_HOST_ARCH arm64 DEB_BUILD_GNU_TYPE aarch64-linux-gnu \
                DEB_HOST_GNU_TYPE aarch64-linux-gnu TOOLCHAIN_MODE native IGTOP "$generator" IGROOT "$generator" \
                LAYER_HOOKS "$generator/layer-hooks" RPI_TEMPLATES "$generator/templates/rpi" DYNROOT "$work" SRCROOT "$source"
        } >"$work/config.env"
        layers=$(sed -nE 's/^IGconf_(device_layer|image_layer|layer_[a-z]+)="?([^"]*)"?$/\2/p' "$work/user.env")
        # shellcheck disable=SC2086
        ig pipeline --env-in "$work/config.env" --path "$paths" --env-out "$work/out.env" --plan-out "$work/plan" \
            --layers essential $layers
        echo "engarde-$model.yaml: $(grep -c . "$work/plan") layers, every variable has a value"
    done
}

build() {
    rm -f "$source"/packages/*.deb
    sh firmware/packaging/deb.sh --arch arm64 --out "$source/packages"
    mkdir -p build/release
    for model in $MODELS; do
        "$generator/rpi-image-gen" build -S "$source" -c "engarde-$model.yaml" -B "build/image-$model"
        made=$(find "build/image-$model" -name "engarde-$model.img" | head -n 1)
        [ -n "$made" ] || { echo "rpi-image-gen left no engarde-$model.img in build/image-$model" >&2; exit 1; }
        cp "$made" "build/release/engarde-$version-$model.img"
    done
    .venv/bin/python -m firmware.tools.release imager --out build/release
}

"$what"
