import { converter, formatHex, type Oklch, wcagContrast } from 'culori'

type AccentName = `--brand${'' | '-ink' | '-tint'}-on-${'light' | 'dark'}`

/** The backgrounds on which a brand color is shown in each theme; app/globals.css has the same values. */
export const brandBackgrounds = {
  light: ['#fbfbf9', '#ffffff', '#f4f4f0'],
  dark: ['#111417', '#181c20', '#0d1012'],
} as const
const inks = ['#ffffff', '#0d1012'] as const

/** The contrast that WCAG 2.2, 1.4.3 requires of text, increased a little because colors are rounded to bytes. */
const minContrast = 4.5 + 0.05

const toRgb = converter('rgb')
const toOklch = converter('oklch')

/** Returns a brand color as lightness 0 to 1, chroma from 0 and hue in degrees. Throws RangeError unless it is `#rrggbb`. */
function brandColor(color: string): Oklch {
  const parsed = /^#[\da-f]{6}$/i.test(color) ? toOklch(color) : undefined
  if (!parsed) throw new RangeError(`not a color as #rrggbb: ${color}`)
  return parsed
}

const rgbOf = ({ r, g, b }: { r: number; g: number; b: number }) => [r, g, b]

/** Returns a color that sRGB can show: hue and lightness stay, chroma is reduced as far as necessary. */
function hexOf(color: Oklch): string {
  const shows = (shade: Oklch) => rgbOf(toRgb(shade)).every((value) => value >= -0.0005 && value <= 1.0005)
  let { c } = color
  while (c > 0 && !shows({ ...color, c })) c = Math.max(0, c - 0.004)
  return formatHex({ ...color, c })
}

/** Returns the contrast of two colors, `#rrggbb` each: 1 to 21 (WCAG 2.2). */
export const contrast = (one: string, other: string): number => wcagContrast(one, other)

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
  const brand = brandColor(color)
  // a gray must not get a hue by its tint
  const tints = {
    light: hexOf({ ...brand, l: 0.953, c: Math.min(brand.c * 0.16, 0.022) }),
    dark: hexOf({ ...brand, l: 0.288, c: Math.min(brand.c * 0.36, 0.045) }),
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
