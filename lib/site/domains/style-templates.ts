import { versionOf } from '@/lib/base/http/immutable-response'
import { accentVariables } from '@/lib/base/pictures/accent'
import { emblems } from '@/lib/base/pictures/emblems'
import type { styleCodes } from './style-codes'

/** The brand color of each shipped style, from which the other colors are computed. */
const accents: Record<StyleCode, string> = { default: '#0b6b57', partners: '#4b3fb0' }

type StyleCode = (typeof styleCodes)[number]
type ImageCode = keyof typeof emblems

const styleOf = (code: string): StyleCode => (Object.hasOwn(accents, code) ? (code as StyleCode) : 'default')
const imageOf = (code: string): ImageCode => (Object.hasOwn(emblems, code) ? (code as ImageCode) : 'default')

/** Styles whose colors a designer chose. The default style has the values of app/globals.css. */
const designedColors: Partial<Record<StyleCode, Record<string, string>>> = {
  default: {
    '--brand-on-light': '#0b6b57',
    '--brand-ink-on-light': '#ffffff',
    '--brand-tint-on-light': '#e4f1ed',
    '--brand-on-dark': '#4fc3a6',
    '--brand-ink-on-dark': '#0d1012',
    '--brand-tint-on-dark': '#16312b',
  },
}
const variablesOf = (code: StyleCode): Record<string, string> => designedColors[code] ?? accentVariables(accents[code])

/**
 * Returns a style's colors in each theme, for mails, which know no CSS variables. Unknown codes get the default style.
 */
export function styleLook(code: string) {
  const colors = variablesOf(styleOf(code))
  const shades = (theme: 'light' | 'dark') => ({
    brand: colors[`--brand-on-${theme}`] ?? '',
    ink: colors[`--brand-ink-on-${theme}`] ?? '',
    tint: colors[`--brand-tint-on-${theme}`] ?? '',
  })
  return { light: shades('light'), dark: shades('dark') }
}

/** Returns the style sheet of a style: variables that override the defaults. Unknown codes get the default style. */
export function styleSheet(code: string): string {
  const lines = Object.entries(variablesOf(styleOf(code))).map(([name, value]) => `${name}:${value};`)
  return `html:root{${lines.join('')}}\n`
}

const svg = (size: number, body: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 32 32">${body}</svg>\n`

/**
 * Returns a picture as SVG: `miniLogo` is the emblem, `logo` the emblem on its tint. Unknown codes get the default
 * style.
 */
export function styleImage(code: string, name: 'logo' | 'miniLogo'): string {
  const colors = variablesOf(styleOf(code))
  const light = `.m{fill:${colors['--brand-on-light']}}.t{fill:${colors['--brand-tint-on-light']}}`
  const dark = `.m{fill:${colors['--brand-on-dark']}}.t{fill:${colors['--brand-tint-on-dark']}}`
  const style = `<style>${light}@media(prefers-color-scheme:dark){${dark}}</style>`
  const emblem = `<path class="m" d="${emblems[imageOf(code)]}"/>`
  if (name === 'miniLogo') return svg(32, `${style}${emblem}`)
  return svg(
    128,
    `${style}<rect class="t" width="32" height="32" rx="7"/><g transform="translate(4 4) scale(.75)">${emblem}</g>`,
  )
}

/** Returns the address of a style sheet. It changes with the content, so browsers may cache the sheet for ever. */
export const styleSheetAddress = (code: string) => `/style/${styleOf(code)}/style.css?v=${versionOf(styleSheet(code))}`

/** Returns the address of one of a style's pictures, which changes with the content too. */
export const styleImageAddress = (code: string, name: 'logo' | 'miniLogo') =>
  `/style/${imageOf(code)}/images/${name}.svg?v=${versionOf(styleImage(code, name))}`
