import { converter, formatHex, type Oklch, wcagContrast } from 'culori'

type AccentName = `--brand${'' | '-ink' | '-tint'}-on-${'light' | 'dark'}`

/** The backgrounds of a brand color in each theme; app/globals.css has the same values. */
export const grounds = {
  light: ['#fbfbf9', '#ffffff', '#f4f4f0'],
  dark: ['#111417', '#181c20', '#0d1012'],
} as const
const inks = ['#ffffff', '#0d1012'] as const

/** The contrast that WCAG 2.2, 1.4.3 requires of text, and a little more, because colors are rounded to bytes. */
const enough = 4.5 + 0.05

const toRgb = converter('rgb')
const toOklch = converter('oklch')

/** Returns a brand color as lightness 0 to 1, chroma from 0 and hue in degrees. Throws RangeError unless it is `#rrggbb`. */
function brandColor(color: string): Oklch {
  const parsed = /^#[\da-f]{6}$/i.test(color) ? toOklch(color) : undefined
  if (!parsed) throw new RangeError(`not a color as #rrggbb: ${color}`)
  return parsed
}

const rgbOf = ({ r, g, b }: { r: number; g: number; b: number }) => [r, g, b]

/** Returns the color as sRGB can show it: hue and lightness stay, chroma is reduced. */
function hexOf(color: Oklch): string {
  const shows = (shade: Oklch) => rgbOf(toRgb(shade)).every((value) => value >= -0.0005 && value <= 1.0005)
  let { c } = color
  while (c > 0 && !shows({ ...color, c })) c = Math.max(0, c - 0.004)
  return formatHex({ ...color, c })
}

/** Returns the contrast of two colors, `#rrggbb` each: 1 to 21 (WCAG 2.2). */
export const contrast = (one: string, other: string): number => wcagContrast(one, other)

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
  const brand = brandColor(color)
  // a gray must not get a hue by its tint
  const tints = {
    light: hexOf({ ...brand, l: 0.953, c: Math.min(brand.c * 0.16, 0.022) }),
    dark: hexOf({ ...brand, l: 0.288, c: Math.min(brand.c * 0.36, 0.045) }),
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
