"""Makes the fonts of the page: conpole-math.woff2, the glyphs of STIX Two Math that it shows, with what a browser needs to lay out MathML;
and inter.woff2, Inter in the weights and with the features that the styles use.

    pip install fonttools brotli
    python subset.py math stix-two-math-latin-400-normal.woff2 conpole-math.woff2
    python subset.py text inter-latin-wght-normal.woff2 inter.woff2

The first files are in the npm packages @fontsource/stix-two-math and @fontsource-variable/inter. The family of the first gets another name,
since the result is no longer the font of the STIX project. Licence: OFL.txt.
"""

import sys

from fontTools import subset
from fontTools.ttLib import TTFont
from fontTools.varLib import instancer

ITALIC_LETTERS = range(0x1D434, 0x1D468)
PLANCK = 0x210E  # stands in the place of the italic h
SIGNS = "−⋅·×÷≠≤≥√⁄…→⇒⇔∀∈ℝ∅–—‘’“”„′″∨∧≈≡∣∥"
INVISIBLE_OPERATORS = range(0x2061, 0x2065)


WEIGHTS = (400, 740)  # the lightest and the boldest in src/styles
TEXT_FEATURES = ["kern", "ccmp", "mark", "mkmk", "locl", "tnum"]


def text(source: str, target: str) -> None:
    font = TTFont(source)
    options = subset.Options()
    options.hinting = False
    options.layout_features = TEXT_FEATURES
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=font.getBestCmap())
    subsetter.subset(font)
    font = instancer.instantiateVariableFont(font, {"wght": WEIGHTS})
    font.flavor = "woff2"
    font.save(target)


def math(source: str, target: str) -> None:
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
    {"math": math, "text": text}[sys.argv[1]](*sys.argv[2:])
