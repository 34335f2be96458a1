#!/bin/sh
# Renders six hours of four views, and lays them out as one sheet: assets/pictures/hours.jpg of the README.
#
#     assets/make_hours.sh [build/release/orogen [FOLDER]]
#
# FOLDER keeps the 24 pictures of 320 x 230; the sheet leaves out the line of credits at their bottom.  Needs montage of
# ImageMagick.  Takes half a minute on two cores.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
orogen=${1:-$root/build/release/orogen}
folder=${2:-$(mktemp -d)}
mkdir -p "$folder"

# hours NAME "ARGUMENTS" TIME...: a picture each, NAME-1.png and so on.
hours()
{
    name=$1 arguments=$2 number=0
    shift 2
    printf 'key F2\nset marks.compass false\nset marks.names false\n' > "$folder/$name.txt"  # no panels, no marks
    for time in "$@"; do
        number=$((number + 1))
        printf 'set render.time %s\nwait settled\nscreenshot %s/%s-%d.png\n' "$time" "$folder" "$name" $number
    done >> "$folder/$name.txt"
    # shellcheck disable=SC2086  # the arguments are words
    "$orogen" view $arguments --headless --size 320x230 --script "$folder/$name.txt"
}

# Local times of the shipped terrain (118 degrees west): before sunrise, after it, morning, noon, before sunset, night.
hours tujunga "" 2026-09-21T13:20Z 2026-09-21T14:05Z 2026-09-21T16:30Z 2026-09-21T19:45Z 2026-09-22T01:10Z 2026-09-22T03:30Z
# A made landscape has no place on the globe: its hours are those of 0 degrees north and east.
hours mountains "synthetic:4096:7" 2026-09-21T05:38Z 2026-09-21T06:20Z 2026-09-21T09:00Z 2026-09-21T12:00Z 2026-09-21T17:10Z 2026-09-21T19:30Z
hours alps "earth --goto 45.9,7.7,9000" 2026-06-21T03:10Z 2026-06-21T04:10Z 2026-06-21T07:30Z 2026-06-21T11:30Z 2026-06-21T18:40Z 2026-06-21T22:30Z
hours earth "earth" 2026-03-20T00:00Z 2026-03-20T04:00Z 2026-03-20T08:00Z 2026-03-20T12:00Z 2026-03-20T16:00Z 2026-03-20T20:00Z

pictures=
for name in tujunga mountains alps earth; do
    for number in 1 2 3 4 5 6; do pictures="$pictures $folder/$name-$number.png"; done
done
# shellcheck disable=SC2086
montage $pictures -gravity center -crop 320x180+0+0 +repage -tile 6x4 -geometry 213x120+2+2 -background '#1b1d21' \
    -quality 84 "$root/assets/pictures/hours.jpg"
