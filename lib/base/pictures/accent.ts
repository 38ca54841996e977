type Rgb = [red: number, green: number, blue: number]
/** Lightness 0 to 1, chroma from 0, hue in radians: equal steps look equal (Björn Ottosson's OKLab). */
type Oklch = { l: number; c: number; h: number }

type AccentName = `--brand${'' | '-ink' | '-tint'}-on-${'light' | 'dark'}`

/** The backgrounds of a brand color in each theme; app/globals.css has the same values. */
export const grounds = {
  light: ['#fbfbf9', '#ffffff', '#f4f4f0'],
  dark: ['#111417', '#181c20', '#0d1012'],
} as const
const inks = ['#ffffff', '#0d1012'] as const

/** The contrast that WCAG 2.2, 1.4.3 requires of text, and a little more, because colors are rounded to bytes. */
const enough = 4.5 + 0.05

const toLinear = (value: number) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
const fromLinear = (value: number) => (value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055)

const parseHex = (color: string): Rgb => {
  const [, digits] = /^#([\da-f]{6})$/i.exec(color) ?? []
  if (!digits) throw new RangeError(`not a color as #rrggbb: ${color}`)
  return [0, 2, 4].map((at) => toLinear(Number.parseInt(digits.slice(at, at + 2), 16) / 255)) as Rgb
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

/** Returns the color as sRGB can show it: hue and lightness stay, chroma is reduced. */
function hexOf(color: Oklch): string {
  let { c } = color
  const shows = (rgb: Rgb) => rgb.every((value) => value >= -0.0005 && value <= 1.0005)
  while (c > 0 && !shows(toRgb({ ...color, c }))) c = Math.max(0, c - 0.004)
  return toHex(toRgb({ ...color, c }))
}

const luminance = ([r, g, b]: Rgb) => 0.2126 * r + 0.7152 * g + 0.0722 * b

/** Returns the contrast of two colors, `#rrggbb` each: 1 to 21 (WCAG 2.2). */
export function contrast(one: string, other: string): number {
  const [a, b] = [luminance(parseHex(one)), luminance(parseHex(other))]
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

/**
 * Returns the color with the nearest lightness, in one direction, at which it has enough contrast to all backgrounds in
 * `on`.
 */
function readable(color: Oklch, on: readonly string[], step: number): string {
  for (let l = color.l; l >= 0 && l <= 1; l += step) {
    const hex = hexOf({ ...color, l })
    if (on.every((ground) => contrast(hex, ground) >= enough)) return hex
  }
  return step < 0 ? inks[1] : inks[0]
}

/**
 * Returns the variables of a domain's style.css: the accent of both themes, made from one brand color (`#rrggbb`), so
 * that text in it and on it has a contrast of 4.5 to 1. Throws RangeError for anything but such a color.
 */
export function accentVariables(color: string): Record<AccentName, string> {
  const brand = toOklch(parseHex(color))
  // a gray must not get a hue by its tint
  const tints = {
    light: hexOf({ l: 0.953, c: Math.min(brand.c * 0.16, 0.022), h: brand.h }),
    dark: hexOf({ l: 0.288, c: Math.min(brand.c * 0.36, 0.045), h: brand.h }),
  }
  const brands = {
    light: readable(brand, [...grounds.light, tints.light], -0.005),
    // on a dark background full chroma glares, so chroma is reduced and lightness starts higher
    dark: readable(
      { ...brand, l: Math.max(brand.l, 0.74), c: Math.min(brand.c, 0.14) },
      [...grounds.dark, tints.dark],
      0.005,
    ),
  }
  const ink = (on: string) => (contrast(on, inks[0]) >= contrast(on, inks[1]) ? inks[0] : inks[1])
  return {
    '--brand-on-light': brands.light,
    '--brand-ink-on-light': ink(brands.light),
    '--brand-tint-on-light': tints.light,
    '--brand-on-dark': brands.dark,
    '--brand-ink-on-dark': ink(brands.dark),
    '--brand-tint-on-dark': tints.dark,
  }
}
