import { readFileSync } from 'node:fs'
import { describe, expect, it, test } from 'vitest'
import { accentVariables, brandBackgrounds, contrast } from '@/lib/base/pictures/accent'

const css = readFileSync(new URL('../../../app/globals.css', import.meta.url), 'utf8')
/** Returns a token's value in each theme, from app/globals.css. */
const token = (name: string) => {
  const [, light = '', dark = ''] = new RegExp(`--${name}: light-dark\\((#\\w{6}), (#\\w{6})\\)`).exec(css) ?? []
  return { light, dark }
}
const themes = ['light', 'dark'] as const

describe('a domain’s accent', () => {
  const steps = ['00', '33', '66', '99', 'cc', 'ff']
  const colors = steps.flatMap((r) => steps.flatMap((g) => steps.map((b) => `#${r}${g}${b}`)))

  it.each([...colors, '#0b6b57', '#e30613', '#ffed00', '#7f7f7f'])('%s keeps text readable in both themes', (color) => {
    const made = accentVariables(color)
    for (const theme of themes) {
      const brand = made[`--brand-on-${theme}`]
      const tint = made[`--brand-tint-on-${theme}`]
      for (const ground of [...brandBackgrounds[theme], tint])
        expect(contrast(brand, ground), `${brand} on ${ground}`).toBeGreaterThanOrEqual(4.5)
      expect(contrast(made[`--brand-ink-on-${theme}`], brand)).toBeGreaterThanOrEqual(4.5)
      expect(contrast(token('ink')[theme], tint)).toBeGreaterThanOrEqual(4.5)
    }
  })
  test('a color that is readable already stays unchanged', () =>
    expect(accentVariables('#0b6b57')['--brand-on-light']).toBe('#0b6b57'))
  test('grey gets no hue', () => {
    for (const value of Object.values(accentVariables('#777777'))) {
      const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => Number.parseInt(value.slice(at, at + 2), 16))
      expect(Math.max(r, g, b) - Math.min(r, g, b), value).toBeLessThanOrEqual(8)
    }
  })
  test.each(['red', '#fff', '#12345g', '', 'url(x)'])('%j is no valid color', (color) =>
    expect(() => accentVariables(color)).toThrow(RangeError),
  )
})

describe('tokens', () => {
  test.each(themes)('the backgrounds of accents are those of the %s theme', (theme) =>
    expect(brandBackgrounds[theme]).toEqual([token('paper')[theme], token('surface')[theme], token('sunken')[theme]]),
  )
  const texts = ['ink', 'ink-second', 'danger', 'ok', 'warning', 'info']
  test.each(themes.flatMap((theme) => texts.map((name) => [name, theme] as const)))(
    '%s is read on every ground of the %s theme and on its own tint',
    (name, theme) => {
      const tint = token(`${name}-tint`)[theme]
      for (const ground of [...brandBackgrounds[theme], ...(tint ? [tint] : [])])
        expect(contrast(token(name)[theme], ground), ground).toBeGreaterThanOrEqual(4.5)
    },
  )
  test.each(themes)('the lines of fields have a contrast of 3 to 1 in the %s theme', (theme) => {
    for (const ground of brandBackgrounds[theme])
      expect(contrast(token('line-field')[theme], ground), ground).toBeGreaterThanOrEqual(3)
  })
})
