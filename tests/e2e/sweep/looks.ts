import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { systemicMethods } from '@/lib/base/access/access-methods'
import { isFull, runSeed } from '../../setup/scope'
import type { Language } from '../sign-in-page'
import { settled } from '../signed-in'
import { wordsOf } from '../words'
import { controlFaults } from './controls'
import { type Axe, type Judged, judgeColorsOnce } from './judged-colors'

export type Width = 1440 | 820 | 360 | 320
type Theme = 'light' | 'dark'
type Look = {
  theme: Theme
  width: Width
  /** `all`: every rule of axe and our own of controls; `color`: those that depend on the theme; `none`: what is cut off. */
  axe: 'all' | 'color' | 'none'
}

/**
 * Every width in one theme; the next page has the other one, so that over the pages every width is seen in both. The
 * rules about roles, names and order run at two widths, since a theme and the widths between change none of these.
 */
const looksIn = (theme: Theme): readonly Look[] => {
  const other: Theme = theme === 'light' ? 'dark' : 'light'
  return [
    { theme, width: 1440, axe: 'all' },
    { theme: other, width: 820, axe: 'color' },
    { theme, width: 360, axe: 'all' },
    { theme: other, width: 320, axe: 'color' },
  ]
}

/** What `npm test` looks at. */
const briefly: readonly Width[] = [1440, 360]
const colorRules = ['color-contrast', 'link-in-text-block']

// the axe of the package that this project declares
const beside = createRequire(createRequire(join(process.cwd(), 'package.json')).resolve('@axe-core/playwright'))
const axeSource = readFileSync(beside.resolve('axe-core/axe.min.js'), 'utf8')

/** The pattern of a missing text, whose key is shown in its place. Codes of methods, such as roles.read, are none. */
function keyPattern(): string {
  const namespaces = Object.keys(wordsOf('ru'))
  const methods = systemicMethods.join('|').replaceAll('.', '\\.')
  return `MISSING_MESSAGE|(?<![\\w.@/-])(?!(?:${methods})(?![\\w.-]))(?:${namespaces.join('|')})\\.[A-Za-z][\\w-]*(?:\\.[\\w-]+)*(?![\\w@/])`
}

type Wanted = { axe: Look['axe']; colorRules: string[]; keys: string; showsKeys: boolean }
/** Runs in the page and returns everything that is wrong with it. */
async function faultsOf({
  axe: rules,
  colorRules,
  keys,
  showsKeys,
}: Wanted): Promise<{ faults: string[]; passed: number[] }> {
  const faults: string[] = []
  const html = document.documentElement
  if (html.scrollWidth > window.innerWidth) {
    const scrolls = (each: Element) => /auto|scroll|hidden|clip/.test(getComputedStyle(each).overflowX)
    // what stands in a row that scrolls by itself widens nothing
    const reached = (each: Element): boolean => {
      const around = each.parentElement
      return around === null || around === document.body || (!scrolls(around) && reached(around))
    }
    const outside = [...document.body.querySelectorAll('*')].filter(
      (each) => each.getBoundingClientRect().right > window.innerWidth && reached(each),
    )
    // the innermost ones are the cause
    const causes = outside.filter((each) => !outside.some((other) => other !== each && each.contains(other)))
    const named = causes.slice(0, 3).map((each) => each.outerHTML.slice(0, 300))
    faults.push(`scrolls sideways: ${html.scrollWidth} px in ${window.innerWidth}: ${named.join(' | ')}`)
  }

  const styles = new Map<Element, CSSStyleDeclaration>()
  const styleOf = (element: Element) => {
    const style = styles.get(element) ?? getComputedStyle(element)
    styles.set(element, style)
    return style
  }
  const range = document.createRange()
  const shownTexts = [document.title]
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const { currentNode: node } = texts
    const parent = node.parentElement
    if (!node.textContent?.trim() || !parent?.checkVisibility({ visibilityProperty: true })) continue
    shownTexts.push(node.textContent)
    range.selectNodeContents(node)
    // of what is reached by scrolling, the part that scrolls is to be seen
    let seen = range.getBoundingClientRect()
    if (seen.width === 0) continue
    for (let around: Element | null = parent; around && around !== document.body; around = around.parentElement) {
      const { overflowX, textOverflow, position } = styleOf(around)
      const box = around.getBoundingClientRect()
      // hidden or shortened on purpose; what a link of a menu is called is not
      const isMenu = textOverflow === 'ellipsis' && around.closest('nav a, nav button') !== null
      if (isMenu && around.scrollWidth > around.clientWidth) faults.push(`a menu cuts: ${node.textContent.trim()}`)
      if (box.width <= 1 || textOverflow === 'ellipsis') break
      if (overflowX === 'auto' || overflowX === 'scroll') seen = box
      else if (overflowX !== 'visible' && (seen.right > box.right + 1 || seen.left < box.left - 1)) {
        faults.push(`text is cut off: ${node.textContent.trim().slice(0, 60)}`)
        break
      }
      if (position === 'fixed') break
    }
  }

  const pen = document.createElement('canvas').getContext('2d')
  for (const field of document.querySelectorAll<HTMLInputElement>('input[placeholder], textarea[placeholder]')) {
    // a field that is filled in doesn't show it
    if (!pen || field.value || !field.checkVisibility({ visibilityProperty: true })) continue
    const { fontWeight, fontSize, fontFamily, paddingLeft, paddingRight } = styleOf(field)
    // a phone's fields have letters of 16 px, which this browser with a mouse doesn't show
    const size = window.innerWidth < 480 ? Math.max(16, Number.parseFloat(fontSize)) : Number.parseFloat(fontSize)
    pen.font = `${fontWeight} ${size}px ${fontFamily}`
    const room = field.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight)
    const { width } = pen.measureText(field.placeholder)
    if (width > room + 1) faults.push(`a placeholder of ${Math.ceil(width)} px in ${room}: ${field.placeholder}`)
  }

  const titles = document.querySelectorAll('h1')
  if (titles.length !== 1) faults.push(`${titles.length} h1: ${[...titles].map((each) => each.textContent)}`)
  const pattern = new RegExp(keys, 'g')
  const codes = new Set(
    showsKeys ? [...document.querySelectorAll('.font-mono')].map(({ textContent }) => textContent.trim()) : [],
  )
  const named = [...document.querySelectorAll('[aria-label], [placeholder], [title], [alt]')].flatMap((element) =>
    ['aria-label', 'placeholder', 'title', 'alt'].map((name) => element.getAttribute(name) ?? ''),
  )
  for (const text of [...shownTexts, ...named]) {
    const missing = [...text.matchAll(pattern)].find(([key]) => !codes.has(key))
    if (missing) faults.push(`a text is missing: ${missing[0]}`)
  }

  if (rules === 'none') return { faults, passed: [] }
  const { axe, judged } = window as unknown as { axe: Axe; judged: Judged }
  judged.fresh.clear()
  judged.behind.clear()
  const where = rules === 'color' ? judged.unknown() : document
  if (Array.isArray(where) && where.length === 0) return { faults, passed: [] }
  const { violations, incomplete } = await axe.run(where, {
    resultTypes: ['violations', 'incomplete'],
    selectors: false,
    elementRef: true,
    iframes: false,
    ...(rules === 'color' ? { runOnly: { type: 'rule', values: colorRules }, preload: false } : {}),
  })
  for (const { id, nodes } of violations)
    faults.push(`${id}: ${nodes.map(({ html, any }) => `${html} ${any[0]?.message ?? ''}`).join(' | ')}`)
  // what axe couldn't judge, such as text under a dialog, is judged where it can be
  for (const { element } of [...violations, ...incomplete].flatMap(({ nodes }) => nodes))
    if (element) judged.fresh.delete(element)
  const fresh = [...judged.fresh.values()].flat()
  for (const look of fresh) judged.known.add(look)
  return { faults, passed: fresh }
}

/** What axe passed in this process, on any page. */
const passed = new Set<number>()

/** Stops animations, so that nothing between two states is measured. */
const stop = (page: Page) =>
  page.evaluate(() => {
    const still = new CSSStyleSheet()
    still.replaceSync('*, ::before, ::after { transition: none !important; animation: none !important }')
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, still]
  })

/** Stops animations and loads axe. */
async function prepare(page: Page) {
  await stop(page)
  if (await page.evaluate(() => 'axe' in window)) return
  await page.evaluate(axeSource)
  await page.evaluate(judgeColorsOnce, [...passed])
}

type Wishes = {
  language: Language
  /** Even ones begin in the light theme, odd ones in the dark one. */
  number?: number
  /** Whether it shows codes that look like keys of texts. */
  showsKeys?: boolean
  /** Where something shows at these widths alone. */
  widths?: readonly Width[]
}

/**
 * Checks a page at every width without reloading it, in both themes; in English only whether its texts fit, in one. In
 * a full run a theme is the system's on some pages, and on the others the person's choice, as `chooseTheme` applies it.
 * Returns the faults, by look.
 */
export async function lookAt(
  page: Page,
  { language, number = 0, widths, showsKeys = false }: Wishes,
): Promise<string[]> {
  const faults: string[] = []
  const keys = keyPattern()
  const chosenLooks = looksIn((number + runSeed) % 2 === 0 ? 'light' : 'dark')
    .filter(({ width }) => (widths ? widths.includes(width) : isFull || briefly.includes(width)))
    // a language changes no colors and no roles, and of the widths the narrow ones tell whether its texts fit
    .filter(({ width }) => language === 'ru' || widths || width !== 820)
  const chosen = (number >> 1) % 2 === 1 && (await page.evaluate(() => '__next_f' in window))
  if (language === 'ru') await prepare(page)
  else await stop(page)
  for (const { theme, width, axe } of chosenLooks) {
    await page.setViewportSize({ width, height: 800 })
    if (chosen)
      await page.evaluate((value) => {
        document.documentElement.dataset.theme = value
      }, theme)
    else await page.emulateMedia({ colorScheme: theme })
    await settled(page)
    // a refresh in the background replaces the title; one that doesn't come back is a fault below
    await page.waitForFunction(() => document.title.trim() !== '', null, { timeout: 5_000 }).catch(() => {})
    const rules = language === 'ru' ? axe : 'none'
    const report = await page.evaluate(faultsOf, { axe: rules, colorRules, keys, showsKeys })
    for (const look of report.passed) passed.add(look)
    const controls = rules === 'all' ? await page.evaluate(controlFaults) : []
    faults.push(...[...report.faults, ...controls].map((fault) => `${theme}, ${width} px: ${fault}`))
  }
  if (chosen) await page.evaluate(() => delete document.documentElement.dataset.theme)
  await page.setViewportSize({ width: widths?.[0] ?? 1440, height: 800 })
  return faults
}
