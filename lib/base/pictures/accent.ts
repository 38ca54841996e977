type Rgb = [red: number, green: number, blue: number]
/** Lightness 0 to 1, chroma from 0, hue in radians: equal steps look equal (Björn Ottosson's OKLab). */
type Oklch = { l: number; c: number; h: number }

type AccentName = `--brand${'' | '-ink' | '-tint'}-on-${'light' | 'dark'}`

/** The backgrounds on which a brand color is shown in each theme; app/globals.css has the same values. */
export const brandBackgrounds = {
  light: ['#fbfbf9', '#ffffff', '#f4f4f0'],
  dark: ['#111417', '#181c20', '#0d1012'],
} as const
const inks = ['#ffffff', '#0d1012'] as const

/** The contrast that WCAG 2.2, 1.4.3 requires of text, increased a little because colors are rounded to bytes. */
const minContrast = 4.5 + 0.05

const toLinear = (value: number) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
const fromLinear = (value: number) => (value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055)

const parseHex = (color: string): Rgb => {
  const [, digits] = /^#([\da-f]{6})$/i.exec(color) ?? []
  if (!digits) throw new RangeError(`not a color as #rrggbb: ${color}`)
  return [0, 2, 4].map((start) => toLinear(Number.parseInt(digits.slice(start, start + 2), 16) / 255)) as Rgb
}
const toHex = (rgb: Rgb) =>
  `#${rgb
    .map((value) =>
      Math.round(Math.min(1, Math.max(0, fromLinear(value))) * 255)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`

function toOklch([r, g, b]: Rgb): Oklch {
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s
  const bb = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s
  return { l: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s, c: Math.hypot(a, bb), h: Math.atan2(bb, a) }
}

function toRgb({ l, c, h }: Oklch): Rgb {
  const [a, b] = [c * Math.cos(h), c * Math.sin(h)]
  const long = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const medium = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const short = (l - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
  ]
}

/** Returns a color that sRGB can show: hue and lightness stay, chroma is reduced as far as necessary. */
function hexOf(color: Oklch): string {
  let { c } = color
  const isDisplayable = (rgb: Rgb) => rgb.every((value) => value >= -0.0005 && value <= 1.0005)
  while (c > 0 && !isDisplayable(toRgb({ ...color, c }))) c = Math.max(0, c - 0.004)
  return toHex(toRgb({ ...color, c }))
}

const luminance = ([r, g, b]: Rgb) => 0.2126 * r + 0.7152 * g + 0.0722 * b

/** Returns the contrast of two colors, `#rrggbb` each: 1 to 21 (WCAG 2.2). */
export function contrast(firstColor: string, secondColor: string): number {
  const [a, b] = [luminance(parseHex(firstColor)), luminance(parseHex(secondColor))]
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

/**
 * Returns the color with the nearest lightness, in the direction of `step`, at which it has enough contrast to all
 * backgrounds.
 */
function readable(color: Oklch, backgrounds: readonly string[], step: number): string {
  for (let l = color.l; l >= 0 && l <= 1; l += step) {
    const hex = hexOf({ ...color, l })
    if (backgrounds.every((ground) => contrast(hex, ground) >= minContrast)) return hex
  }
  return step < 0 ? inks[1] : inks[0]
}

/**
 * Returns the variables of a domain's style.css: the accent of both themes, made from one brand color (`#rrggbb`), so
 * that text in this color and text on it have a contrast of 4.5 to 1. Throws RangeError for any other text.
 */
export function accentVariables(color: string): Record<AccentName, string> {
  const brand = toOklch(parseHex(color))
  // the tint of a gray must not have a hue
  const tints = {
    light: hexOf({ l: 0.953, c: Math.min(brand.c * 0.16, 0.022), h: brand.h }),
    dark: hexOf({ l: 0.288, c: Math.min(brand.c * 0.36, 0.045), h: brand.h }),
  }
  const brands = {
    light: readable(brand, [...brandBackgrounds.light, tints.light], -0.005),
    // on a dark background full chroma glares, so chroma is reduced and lightness starts higher
    dark: readable(
      { ...brand, l: Math.max(brand.l, 0.74), c: Math.min(brand.c, 0.14) },
      [...brandBackgrounds.dark, tints.dark],
      0.005,
    ),
  }
  const ink = (ground: string) => (contrast(ground, inks[0]) >= contrast(ground, inks[1]) ? inks[0] : inks[1])
  return {
    '--brand-on-light': brands.light,
    '--brand-ink-on-light': ink(brands.light),
    '--brand-tint-on-light': tints.light,
    '--brand-on-dark': brands.dark,
    '--brand-ink-on-dark': ink(brands.dark),
    '--brand-tint-on-dark': tints.dark,
  }
}
