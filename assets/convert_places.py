#!/usr/bin/env python3
"""Writes assets/earth/places.tsv: names of continents, oceans, seas, countries, cities and peaks.

    assets/convert_places.py FOLDER [OUT.tsv]

FOLDER is /usr/share/marble/data/placemarks of Debian's package marble-qt-data. assets/LICENSES.md names the sources.
Most seas and peaks are not in that package; the lists below add them.

A line of the result has six fields between tabs: kind (K continent, O ocean, S sea, N country, C capital, T other city,
P peak), latitude and longitude (degrees, north and east), size, country code, name. The size is the area in 1000 km2
of a continent, ocean, sea or country, the inhabitants in thousands of a city, and the height in metres of a peak.
"""
import math
import os
import struct
import sys

HERE = os.path.dirname(os.path.abspath(__file__))

# Name, latitude, longitude (where its label belongs), area in 1000 km2.
SEAS = """
Mediterranean Sea|35.3|18.0|2500; Caribbean Sea|15.0|-75.0|2754; South China Sea|13.0|114.0|3500
Bering Sea|58.0|-178.0|2292; Gulf of Mexico|25.0|-90.0|1550; Sea of Okhotsk|53.0|150.0|1583
East China Sea|29.0|125.0|1249; Yellow Sea|36.0|123.2|380; Sea of Japan|40.0|134.5|978; Hudson Bay|60.0|-85.0|1230
North Sea|56.5|3.2|570; Baltic Sea|57.3|19.8|377; Black Sea|43.3|34.0|436; Red Sea|20.5|38.3|438
Arabian Sea|15.0|64.0|3862; Bay of Bengal|14.5|88.0|2172; Andaman Sea|11.0|95.8|600; Persian Gulf|26.8|51.5|251
Caspian Sea|41.8|50.4|371; Coral Sea|-17.0|155.0|4791; Tasman Sea|-38.5|161.0|2300; Arafura Sea|-9.5|135.5|650
Timor Sea|-11.0|127.0|610; Philippine Sea|20.0|132.0|5000; Celebes Sea|3.5|122.0|280; Java Sea|-5.0|111.0|320
Banda Sea|-6.0|127.5|470; Barents Sea|74.0|38.0|1400; Kara Sea|76.0|78.0|880; Laptev Sea|76.0|126.0|700
East Siberian Sea|73.5|162.0|987; Chukchi Sea|69.0|-171.5|620; Beaufort Sea|72.5|-139.0|476
Greenland Sea|76.0|-5.0|1205; Norwegian Sea|68.0|2.0|1383; Labrador Sea|58.0|-54.0|841; Baffin Bay|74.0|-66.5|689
Gulf of Alaska|57.0|-145.0|1533; Sargasso Sea|28.0|-66.0|3500; Bay of Biscay|45.3|-4.5|223; Adriatic Sea|43.0|15.2|139
Aegean Sea|38.6|25.2|214; Ionian Sea|37.6|18.8|169; Tyrrhenian Sea|40.0|12.0|275; Gulf of Guinea|1.5|3.0|2350
Mozambique Channel|-18.5|41.0|700; Great Australian Bight|-34.5|131.0|1306; Gulf of Carpentaria|-14.0|139.0|300
Weddell Sea|-72.0|-45.0|2800; Ross Sea|-75.5|-175.0|637; Scotia Sea|-57.0|-45.0|900; Gulf of Aden|12.4|47.8|410
Gulf of Oman|24.8|58.3|181; Gulf of Thailand|9.8|101.6|320; Gulf of California|27.4|-111.6|160
English Channel|50.1|-1.6|75; Irish Sea|53.8|-4.9|46; Gulf of Bothnia|62.4|19.6|117; White Sea|65.6|38.0|90
Sulu Sea|8.3|120.3|260; Bismarck Sea|-4.0|148.0|140; Solomon Sea|-8.2|153.5|720; Sea of Azov|46.1|36.7|39
Lake Victoria|-1.1|33.0|69; Lake Superior|47.6|-87.6|82; Lake Michigan|43.8|-87.0|58; Lake Huron|44.7|-82.4|60
Lake Erie|42.2|-81.2|26; Lake Ontario|43.7|-77.9|19; Lake Baikal|53.6|108.2|32; Lake Tanganyika|-6.2|29.6|33
Great Bear Lake|66.0|-121.0|31; Great Slave Lake|61.8|-114.0|29; Lake Ladoga|60.8|31.5|18; Lake Titicaca|-15.8|-69.3|8
"""

# Name, country, latitude, longitude (degrees, to a hundredth), height in metres.
PEAKS = """
K2|PK|35.88|76.51|8611; Kangchenjunga|NP|27.70|88.15|8586; Lhotse|NP|27.96|86.93|8516; Makalu|NP|27.89|87.09|8485
Cho Oyu|NP|28.09|86.66|8188; Dhaulagiri|NP|28.70|83.49|8167; Manaslu|NP|28.55|84.56|8163; Nanga Parbat|PK|35.24|74.59|8126
Annapurna|NP|28.60|83.82|8091; Gasherbrum|PK|35.72|76.70|8080; Nanda Devi|IN|30.38|79.97|7816; Tirich Mir|PK|36.26|71.84|7708
Namcha Barwa|CN|29.63|95.06|7782; Kongur|CN|38.59|75.31|7649; Minya Konka|CN|29.60|101.88|7556; Ismoil Somoni Peak|TJ|38.94|72.02|7495
Jengish Chokusu|KG|42.03|80.13|7439; Khan Tengri|KZ|42.21|80.17|7010; Belukha|RU|49.81|86.59|4506; Klyuchevskaya Sopka|RU|56.06|160.64|4754
Mount Fuji|JP|35.36|138.73|3776; Yu Shan|TW|23.47|120.96|3952; Mount Kinabalu|MY|6.08|116.56|4095; Mount Kerinci|ID|-1.70|101.26|3805
Semeru|ID|-8.11|112.92|3676; Rinjani|ID|-8.41|116.46|3726; Mount Apo|PH|6.99|125.27|2954; Mount Wilhelm|PG|-5.78|145.03|4509
Aoraki / Mount Cook|NZ|-43.60|170.14|3724; Mount Ruapehu|NZ|-39.28|175.57|2797; Mount Taranaki|NZ|-39.30|174.06|2518
Damavand|IR|35.95|52.11|5609; Ararat|TR|39.70|44.30|5137; Kazbek|GE|42.70|44.52|5033; Dykh-Tau|RU|43.05|43.13|5205
Matterhorn|CH|45.98|7.66|4478; Dufourspitze|CH|45.94|7.87|4634; Jungfrau|CH|46.54|7.96|4158; Eiger|CH|46.58|8.01|3967
Finsteraarhorn|CH|46.54|8.13|4274; Weisshorn|CH|46.10|7.72|4506; Piz Bernina|CH|46.38|9.91|4049; Ortler|IT|46.51|10.54|3905
Grossglockner|AT|47.07|12.69|3798; Wildspitze|AT|46.88|10.87|3768; Zugspitze|DE|47.42|10.99|2962; Marmolada|IT|46.43|11.85|3343
Gran Paradiso|IT|45.52|7.27|4061; Monte Viso|IT|44.67|7.09|3841; Barre des Ecrins|FR|44.92|6.36|4102; Triglav|SI|46.38|13.84|2864
Corno Grande|IT|42.47|13.57|2912; Vesuvius|IT|40.82|14.43|1281; Gerlach|SK|49.16|20.13|2655; Moldoveanu|RO|45.60|24.74|2544
Musala|BG|42.18|23.59|2925; Mount Olympus|GR|40.09|22.36|2918; Aneto|ES|42.63|0.66|3404; Mulhacen|ES|37.05|-3.31|3479
Teide|ES|28.27|-16.64|3715; Pico|PT|38.47|-28.40|2351; Ben Nevis|GB|56.80|-5.00|1345; Snowdon|GB|53.07|-4.08|1085
Galdhopiggen|NO|61.64|8.31|2469; Kebnekaise|SE|67.90|18.52|2097; Hvannadalshnukur|IS|64.01|-16.68|2110; Hekla|IS|63.99|-19.67|1491
Gunnbjorn Fjeld|GL|68.92|-29.90|3694; Mount Logan|CA|60.57|-140.41|5959; Mount Saint Elias|US|60.29|-140.93|5489
Mount Robson|CA|53.11|-119.16|3954; Mount Waddington|CA|51.37|-125.26|4019; Mount Rainier|US|46.85|-121.76|4392
Mount Shasta|US|41.41|-122.19|4322; Mount Hood|US|45.37|-121.70|3429; Mount St. Helens|US|46.19|-122.19|2549
Mount Whitney|US|36.58|-118.29|4421; Mount Elbert|US|39.12|-106.45|4401; Pikes Peak|US|38.84|-105.04|4302
Grand Teton|US|43.74|-110.80|4199; Longs Peak|US|40.25|-105.62|4346; Mount Mitchell|US|35.76|-82.27|2037
Mount Washington|US|44.27|-71.30|1917; San Gorgonio Mountain|US|34.10|-116.82|3506; Mount San Antonio|US|34.29|-117.65|3068
Mount Wilson|US|34.22|-118.06|1740; Mount Waterman|US|34.34|-117.94|2449; Strawberry Peak|US|34.28|-118.12|1879
Pico de Orizaba|MX|19.03|-97.27|5636; Popocatepetl|MX|19.02|-98.62|5426; Tajumulco|GT|15.04|-91.90|4220
Chirripo|CR|9.48|-83.49|3820; Pico Duarte|DO|19.02|-71.00|3101; Pico Bolivar|VE|8.54|-71.05|4978
Pico Cristobal Colon|CO|10.84|-73.69|5700; Roraima|VE|5.14|-60.76|2810; Chimborazo|EC|-1.47|-78.82|6263
Cotopaxi|EC|-0.68|-78.44|5897; Huascaran|PE|-9.12|-77.60|6768; Illimani|BO|-16.63|-67.79|6438; Sajama|BO|-18.11|-68.88|6542
Ojos del Salado|CL|-27.11|-68.54|6893; Llullaillaco|CL|-24.72|-68.54|6739; Fitz Roy|AR|-49.27|-73.04|3405
Pico da Neblina|BR|0.80|-66.01|2995; Mount Kenya|KE|-0.15|37.31|5199; Mount Stanley|UG|0.39|29.87|5109; Ras Dejen|ET|13.24|38.37|4550
Toubkal|MA|31.06|-7.92|4167; Mount Cameroon|CM|4.22|9.17|4040; Thabana Ntlenyana|LS|-29.47|29.27|3482; Emi Koussi|TD|19.79|18.55|3415
Tahat|DZ|23.29|5.53|2908; Piton des Neiges|RE|-21.10|55.48|3070; Mount Meru|TZ|-3.25|36.75|4562; Karisimbi|RW|-1.51|29.45|4507
Mount Erebus|AQ|-77.53|167.15|3794; Jabal an Nabi Shu'ayb|YE|15.28|43.98|3666; Anamudi|IN|10.17|77.06|2695; Pidurutalagala|LK|7.00|80.77|2524
Fansipan|VN|22.30|103.78|3143; Narodnaya|RU|65.04|60.12|1895; Pobeda|RU|65.18|146.03|3003
"""


def read_cache(path):
    """Yields the placemarks of a file of Marble's, version 13."""
    data = open(path, "rb").read()
    if struct.unpack_from(">II", data) != (0x31415926, 13):
        sys.exit(f"{path}: not a list of placemarks of version 13")
    at = 8

    def take(kind):
        nonlocal at
        value, = struct.unpack_from(">" + kind, data, at)
        at += struct.calcsize(">" + kind)
        return value

    def text():
        nonlocal at
        size = take("I")
        if size == 0xffffffff:
            return ""
        at += size
        return data[at - size:at].decode("utf-16-be")

    while at < len(data):
        name = text()
        longitude, latitude, height = math.degrees(take("d")), math.degrees(take("d")), take("d")
        role, _, country, _ = text(), text(), text(), text()
        area, people, _, _ = take("d"), take("q"), take("h"), take("b")
        yield name.strip(), latitude, longitude, height, role, country, area, people


def entries(text):
    return [entry.strip().split("|") for line in text.strip().split("\n") for entry in line.split(";")]


def places(folder):
    for name, latitude, longitude, _, role, country, area, _ in read_cache(f"{folder}/boundaryplacemarks.cache"):
        kind = {"K": "K", "O": "O", "S": "N"}[role]
        yield kind, latitude, longitude, max(area / 1000, 0.1), country, name
    for name, latitude, longitude, size in entries(SEAS):
        yield "S", float(latitude), float(longitude), float(size), "", name
    for name, latitude, longitude, height, _, country, _, _ in read_cache(f"{folder}/elevplacemarks.cache"):
        if height > 0:
            yield "P", latitude, longitude, height, country, name
    for name, country, latitude, longitude, height in entries(PEAKS):
        yield "P", float(latitude), float(longitude), float(height), country, name
    for name, latitude, longitude, _, role, country, _, people in read_cache(f"{folder}/cityplacemarks.cache"):
        if role == "PPLC" or people >= 15000:
            yield "C" if role == "PPLC" else "T", latitude, longitude, max(people, 1) / 1000, country, name


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    out = sys.argv[2] if len(sys.argv) > 2 else os.path.join(HERE, "earth", "places.tsv")
    order = {kind: number for number, kind in enumerate("KONSPCT")}
    rows = sorted(places(sys.argv[1]), key=lambda row: (order[row[0]], -row[3], row[5]))
    with open(out, "w", encoding="utf-8") as file:
        for kind, latitude, longitude, size, country, name in rows:
            digits = 2 if kind in "KONSP" else 3
            file.write(f"{kind}\t{latitude:.{digits}f}\t{longitude:.{digits}f}\t{size:.4g}\t{country}\t{name}\n")


main()
