import type { APIRequestContext, Browser, BrowserContext, Page } from '@playwright/test'
import type { Messages } from 'next-intl'
import type { ScreenName } from '@/lib/base/navigation/screens'
import type { Kind } from '../../factories/demo'
import type { Language } from '../sign-in-page'
import type { Width } from './looks'

export type Visit = {
  page: Page
  context: BrowserContext
  browser: Browser
  request: APIRequestContext
  baseURL: string
  language: Language
  /** All texts, in the language of the visit. */
  t: Messages
  outbox(recipient: string, count?: number): Promise<{ text: string; code: string }>
  /** Runs when the visit is over. */
  later(work: () => unknown): void
}

/**
 * A state that is reached from the open page. `widths`: where it shows at these alone. `texts`: its English texts are
 * longer than the Russian ones, so that it is looked at in English too.
 */
export type State =
  | ((visit: Visit) => Promise<void>)
  | { widths?: readonly Width[]; texts?: true; reach(visit: Visit): Promise<void> }

/** One way to open a screen, and its further states, in this order. */
export type Row = {
  /** The name of the state; the bare screen has none. */
  name?: string
  /** Who opens it: an own account of this kind, or nobody. */
  as?: Kind
  /** Its address, or how to get there. */
  open: string | ((visit: Visit) => Promise<void>)
  /** It shows nothing of its own and leads to this screen, which has rows itself. */
  leadsTo?: ScreenName
  /** It shows codes that look like keys of texts, in letters of equal width: these aren't missing texts. */
  showsKeys?: boolean
  /** Its English texts are longer than the Russian ones, so that it is opened in English too, as each first row is. */
  texts?: true
  /** Its address answers 4xx. */
  refused?: true
  states?: Record<string, State>
}

/** The name of a screen, or of a page that `screens` doesn't list. */
export type Rows = Record<string, Row[]>
