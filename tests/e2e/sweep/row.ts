import type { APIRequestContext, Browser, BrowserContext, Page } from '@playwright/test'
import type { Messages } from 'next-intl'
import type { Language } from '../sign-in-page'
import type { Width } from './looks'

export type Visit = {
  page: Page
  context: BrowserContext
  browser: Browser
  request: APIRequestContext
  baseURL: string
  language: Language
  /** Every text, in the language of the visit. */
  t: Messages
  outbox(recipient: string, count?: number): Promise<{ text: string; code: string }>
  /** Runs when the visit is over. */
  later(work: () => unknown): void
}

/** Goes from the open page to something else that it shows. */
export type State = ((visit: Visit) => Promise<void>) | { widths: readonly Width[]; reach(visit: Visit): Promise<void> }

/** One way to open a screen, and what it shows afterwards, in this order. */
export type Row = {
  /** What is special about it; the bare screen has none. */
  name?: string
  /** Who opens it: a demo account, or nobody. */
  as?: string
  /** Where it is, or how to get there. */
  open: string | ((visit: Visit) => Promise<void>)
  /** Its address answers 4xx. */
  refused?: true
  states?: Record<string, State>
}

/** By the name of a screen, or of a page that `screens` doesn't list. */
export type Rows = Record<string, Row[]>
