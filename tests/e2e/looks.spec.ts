import type { Page } from '@playwright/test'
import { expect } from './fixtures'
import { test } from './lasting-context'
import { lookAt } from './sweep/looks'

const text = (style: string, around = '') =>
  `<!doctype html><html lang="ru"><title>Цвета</title><main><h1>Цвета</h1>
  <section style="background: #fff; ${around}"><p style="color: #222; ${style}">Доступ к службам</p></section></main>`

/** The faults of a page in both themes, which the widths of a page share out. */
const faultsOf = async (page: Page) =>
  (await lookAt(page, { language: 'ru', widths: [1440, 820] })).map((fault) => fault.replace(/, \d+ px/, '')).sort()

test('a color that is judged once is judged again where anything about it differs', { tag: '@full' }, async ({
  page,
}) => {
  const faults = async (html: string) => {
    await page.setContent(html)
    return faultsOf(page)
  }
  expect(await faults(text(''))).toEqual([])
  expect(await faults(text('', 'padding: 1px'))).toEqual([])
  for (const faint of [
    text('color: #bbb'),
    text('opacity: 0.3'),
    text('background: #333'),
    text('', 'background: #333'),
    text('', 'opacity: 0.3'),
  ])
    expect(await faults(faint), faint).toEqual([
      expect.stringMatching(/^dark: color-contrast/),
      expect.stringMatching(/^light: color-contrast/),
    ])
  // a fault isn't forgotten, and the same text under another size of letters is another question
  expect(await faults(text('color: #bbb'))).toHaveLength(2)
  expect(await faults(text('color: #888; font-size: 32px'))).toEqual([])
  expect(await faults(text('color: #888; font-size: 14px'))).toHaveLength(2)
})

test('text that couldn’t be judged under something is judged once it is free', { tag: '@full' }, async ({ page }) => {
  const over = '<div id="over" style="position: fixed; inset: 0; background: #fff"></div>'
  await page.setContent(text('color: #ccc') + over)
  await faultsOf(page)
  await page.evaluate(() => document.getElementById('over')?.remove())
  expect(await faultsOf(page)).toHaveLength(2)
})

test('a link that nothing but its color tells from the text around it is a fault in every look', {
  tag: '@full',
}, async ({ page }) => {
  const linked = (link: string, around = '') =>
    text(around, '').replace('Доступ к службам', `Доступ <a href="/services" style="${link}">к службам</a> и ролям`)
  const faults = async (html: string) => {
    await page.setContent(html)
    return faultsOf(page)
  }
  expect(await faults(linked('color: #00c'))).toEqual([])
  for (const alike of [
    linked('color: #226; text-decoration: none'),
    linked('color: #00c; text-decoration: none', 'color: #115'),
  ])
    expect(await faults(alike), alike).toEqual([
      expect.stringMatching(/^dark: link-in-text-block/),
      expect.stringMatching(/^light: link-in-text-block/),
    ])
  expect(await faults(linked('color: #226; font-weight: bold; text-decoration: none'))).toEqual([])
})

test('text that scrolls is cut off where the part that scrolls is itself cut off', { tag: '@full' }, async ({
  page,
}) => {
  const scrolls = (width: string) =>
    text('white-space: nowrap', '').replace(
      /<p (.*)<\/p>/,
      `<div style="width: 200px; overflow: clip"><div tabindex="0" style="width: ${width}; overflow-x: auto"><p $1 ${'и ролям '.repeat(30)}</p></div></div>`,
    )
  const cut = async (html: string) => {
    await page.setContent(html)
    return (await lookAt(page, { language: 'ru', widths: [1440] })).filter((fault) => fault.includes('text is cut off'))
  }
  expect(await cut(scrolls('200px'))).toEqual([])
  expect(await cut(scrolls('400px'))).not.toEqual([])
})
