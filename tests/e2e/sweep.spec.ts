import type { Page } from '@playwright/test'
import { screenAt, screenNamed, screens } from '@/lib/base/navigation/screens'
import { isFull } from '../setup/scope'
import { expect } from './fixtures'
import { test } from './lasting-context'
import { speak } from './people'
import type { Language } from './sign-in-page'
import { asOwn, takenOver } from './signed-in'
import { lookAt, type Width } from './sweep/looks'
import type { Row, Visit } from './sweep/row'
import { rows } from './sweep/rows'
import { wordsOf } from './words'

// each screen is a shard
test.describe.configure({ mode: 'parallel' })

test('every screen is opened', () => {
  expect(screens.filter(({ name }) => !rows[name]?.length).map(({ name }) => name)).toEqual([])
})

/** Waits until the page is loaded, and hydrated if it has scripts. */
async function arrived(page: Page) {
  await expect(page.locator('h1').first()).toBeAttached()
  await page.waitForLoadState('load')
  // a refresh in the background replaces the title
  await expect(page).toHaveTitle(/\S/)
  if (await page.evaluate(() => '__next_f' in window)) await takenOver(page)
  // what is still read has its own looks, in the gallery
  await expect(page.locator('main .animate-wait').filter({ visible: true })).toHaveCount(0)
}

/** The pages that search engines may list, of a step only the first (docs/rules/pages.md#search-engines). */
const listed = /^\/platform\/(?:login|registration|help|law\/[^/?]+)(?:\?(?!version|(?:.*&)?step=(?!id\b)).*)?$/

/** Returns what is wrong with a page's hints for search engines. */
async function listing(page: Page, isListed: boolean): Promise<string[]> {
  const [robots, descriptions] = await page.evaluate(() =>
    ['robots', 'description'].map((name) =>
      [...document.querySelectorAll(`meta[name="${name}"]`)].map((meta) => meta.getAttribute('content') ?? ''),
    ),
  )
  if (!isListed) return robots?.some((content) => content.includes('noindex')) ? [] : ['search engines may list it']
  return [
    ...(robots?.join() === 'index, follow' ? [] : [`search engines read ${robots}`]),
    ...(descriptions?.length === 1 && descriptions[0] ? [] : [`its descriptions are ${descriptions}`]),
  ]
}

/** Opens a screen and looks at it and at those of its states that are wanted. Returns what is wrong. */
async function sweep(
  screen: string,
  { name, as, open, refused, leadsTo, showsKeys = false, states = {} }: Row,
  ways: readonly string[],
  visit: Visit,
): Promise<string[]> {
  const { page, context, language, baseURL } = visit
  await page.setViewportSize({ width: 1440, height: 800 })
  await (as ? asOwn(context, as, language) : speak(context, language, baseURL))
  const faults: string[] = []
  // pages are made for the person at each request, so a prefetched one would be rendered for nothing
  page.on('request', (asked) => {
    if (asked.headers()['next-router-prefetch']) faults.push(`it prefetches ${asked.url()}`)
  })
  if (typeof open === 'string') {
    const status = (await page.goto(open))?.status() ?? 0
    if (status >= 400 !== (refused ?? screenNamed(screen)?.layout === 'NoAccess')) faults.push(`it answers ${status}`)
  } else await open(visit)
  if (leadsTo) {
    const reached = screenAt(new URL(page.url()).pathname)?.name
    return reached === leadsTo ? faults : [...faults, `it leads to ${reached} in place of ${leadsTo}`]
  }
  const look = async (what: string | undefined, widths?: readonly Width[]) => {
    await arrived(page)
    const number = Object.keys(rows).indexOf(screen) + (what === undefined ? 0 : 1 + Object.keys(states).indexOf(what))
    const pageFaults = await lookAt(page, { language, number, showsKeys, ...(widths ? { widths } : {}) })
    const title = [name, what].filter(Boolean).join(', ') || 'as it opens'
    faults.push(...pageFaults.map((fault) => `${title}: ${fault}`))
  }
  await look(undefined)
  // a page that redirects elsewhere has an h1 too
  const { pathname: path, search } = new URL(page.url())
  if (path.startsWith('/platform/')) faults.push(...(await listing(page, listed.test(path + search))))
  if (screenNamed(screen) && screenAt(path)?.name !== screen) faults.push(`it opens ${path} in place of ${screen}`)
  // a state is reached from the one before
  const last = Math.max(...ways.map((what) => Object.keys(states).indexOf(what)))
  for (const [what, state] of Object.entries(states).slice(0, last + 1)) {
    const { reach, widths } = typeof state === 'function' ? { reach: state, widths: undefined } : state
    if (widths) await page.setViewportSize({ width: widths[0] ?? 360, height: 800 })
    await reach(visit)
    if (ways.includes(what)) await look(what, widths)
  }
  return faults
}

type Sweep = { row: Row; language: Language; wanted: string[]; tag: string[] }

/**
 * The ways in which a screen is opened: in Russian each with all states; in English the base row, and what has longer
 * texts there. `npm test` has the base row alone, without its states.
 */
function sweepsOf(ways: readonly Row[]): Sweep[] {
  const full = ['@full']
  const base = ways.find(({ name }) => !name) ?? ways[0]
  return ways.flatMap((row): Sweep[] => {
    const states = Object.keys(row.states ?? {})
    const longer = Object.entries(row.states ?? {}).flatMap(([what, state]) =>
      'texts' in state && state.texts ? what : [],
    )
    return [
      ...(row === base && !isFull ? [{ row, language: 'ru' as const, wanted: [], tag: [] }] : []),
      { row, language: 'ru', wanted: states, tag: full },
      ...(row === base || row.texts || longer.length > 0
        ? [{ row, language: 'en' as const, wanted: longer, tag: full }]
        : []),
    ]
  })
}

for (const [screen, ways] of Object.entries(rows))
  for (const { row, language, wanted, tag } of sweepsOf(ways))
    test(`${screen}${row.name ? `, ${row.name}` : ''}, ${language}${tag.length > 0 ? '' : ', as it opens'}`, {
      tag,
    }, async ({ page, context, browser, request, baseURL, outbox, database: _ }) => {
      const t = wordsOf(language)
      const work: (() => unknown)[] = []
      const later = (each: () => unknown) => void work.push(each)
      try {
        const visit = { page, context, browser, request, baseURL: baseURL ?? '', language, t, outbox, later }
        expect(await sweep(screen, row, wanted, visit)).toEqual([])
      } finally {
        for (const each of work) await each()
      }
    })
