"""Makes conpole-math.woff2: the glyphs of STIX Two Math that the page shows, with what a browser needs to lay out MathML.

    pip install fonttools brotli
    python subset.py stix-two-math-latin-400-normal.woff2 conpole-math.woff2

The first file is in the npm package @fontsource/stix-two-math. The family gets another name, since the result is no longer the font of
the STIX project. Licence: OFL.txt.
"""

import sys

from fontTools import subset
from fontTools.ttLib import TTFont

ITALIC_LETTERS = range(0x1D434, 0x1D468)
PLANCK = 0x210E  # stands in the place of the italic h
SIGNS = "−⋅·×÷≠≤≥√⁄…→⇒⇔∀∈ℝ∅–—‘’“”„′″∨∧≈≡∣∥"
INVISIBLE_OPERATORS = range(0x2061, 0x2065)


def main(source: str, target: str) -> None:
    options = subset.Options()
    options.hinting = False
    options.notdef_outline = True
    options.name_IDs = ["*"]
    options.layout_features = ["ssty", "kern", "dtls", "flac", "mark", "ccmp"]
    font = TTFont(source)
    subsetter = subset.Subsetter(options)
    subsetter.populate(
        unicodes=[*range(0x20, 0x7F), *range(0xA0, 0x100), *ITALIC_LETTERS, PLANCK, *map(ord, SIGNS), *INVISIBLE_OPERATORS]
    )
    subsetter.subset(font)
    for record in font["name"].names:
        if record.nameID in (1, 3, 4, 16, 17):
            record.string = "Conpole Math"
        elif record.nameID == 6:
            record.string = "ConpoleMath"
    font.flavor = "woff2"
    font.save(target)


if __name__ == "__main__":
    main(*sys.argv[1:])
