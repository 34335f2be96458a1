#!/bin/sh
# Renders the Earth from many heights and sides, and lays the pictures out as three sheets in assets/pictures:
# earth_heights.jpg, earth_places.jpg and earth_around.jpg of the README and of assets/docs.
#
#     assets/make_earth_sheets.sh [build/release/orogen [FOLDER]]
#
# FOLDER keeps the 36 pictures of 400 x 275; the sheets leave out the line of credits at their bottom.  Needs montage of
# ImageMagick.  Takes a minute on two cores.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
orogen=${1:-$root/build/release/orogen}
folder=${2:-$(mktemp -d)}
mkdir -p "$folder"

# begin NAME: a script without panels and marks.
begin() { printf 'key F2\nset marks.compass false\nset marks.names false\n' > "$folder/$1.txt"; }

# look NAME NUMBER LATITUDE LONGITUDE METRES [STEP]...: goes to a place, performs the steps, and keeps a picture.
look()
{
    name=$1 number=$2
    printf 'goto %s %s %s\n' "$3" "$4" "$5" >> "$folder/$name.txt"
    shift 5
    for step in "$@"; do printf '%s\n' "$step" >> "$folder/$name.txt"; done
    printf 'wait settled\nscreenshot %s/%s-%02d.png\n' "$folder" "$name" "$number" >> "$folder/$name.txt"
}

draw()
{
    name=$1
    shift
    OROGEN_SETTLE_SECONDS=${OROGEN_SETTLE_SECONDS:-600} "$orogen" view "$@" --headless --size 400x275 --script "$folder/$name.txt"
}

# A descent over mountains near Los Angeles, into an elevation model with samples 30 m apart.  Its ground is 1265 m high there.
begin heights
number=0
for height in 19000000 6000000 2000000 600000 200000 80000 30000 12000 5000 2500 1400 1268; do
    number=$((number + 1))
    look heights $number 34.3203 -118.1492 $height
done
draw heights earth "$root/assets/heightmaps/bigtujunga.tif"

begin places
look places 1 20 -75 12000000                             # America
look places 2 22 12 2500000                               # the Sahara
look places 3 28 86.5 400000                              # the Himalaya
look places 4 24.5 -77.5 150000                           # the Bahamas
look places 5 61 5.5 60000 'set view.pitch -35'           # fjords of Norway
look places 6 46.0 7.7 20000                              # the Alps
look places 7 72 -40 12000                                # ice of Greenland
look places 8 89 0 200000                                 # the north pole
look places 9 25 13 4000                                  # desert in Libya
look places 10 50.2 9.5 2500                              # hills in Germany
look places 11 -3.2 -60 1000                              # the Amazon
look places 12 43 10 4000000 'set render.time 2026-09-21T23:00Z'  # lights of Europe
draw places earth

# Once around the Earth, through both poles and over the date line.
begin around
number=0
for place in '0 20' '30 20' '60 20' '89.9 20' '60 -160' '30 -160' '0 -160' '-30 -160' '-60 -160' '-89.9 20' '-60 20' '-30 20'; do
    number=$((number + 1))
    # shellcheck disable=SC2086  # latitude and longitude
    look around $number $place 9000000
done
draw around earth

for sheet in heights places around; do
    pictures=
    for number in 01 02 03 04 05 06 07 08 09 10 11 12; do pictures="$pictures $folder/$sheet-$number.png"; done
    # shellcheck disable=SC2086  # a list of files
    montage $pictures -gravity center -crop 400x225+0+0 +repage -tile 4x3 -geometry 320x180+2+2 -background '#1b1d21' \
        -quality 84 "$root/assets/pictures/earth_$sheet.jpg"
done
