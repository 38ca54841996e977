import { beforeAll } from 'vitest'
import { shellContext } from '@/bin/operator'
import { db } from '@/db/client'
import { history, outboxEvents } from '@/db/schema'
import { seedDemo } from '@/db/seed/demo'
import { compareConfiguration, importConfiguration } from '@/lib/operations/configuration-file/contract'
import { configurationText } from '@/lib/operations/configuration-file/service'
import { Browser } from './browser'
import { handlerOf } from './routes'
import { signInByPassword } from './sign-in'
import { createUser, password } from './users'

const compare = handlerOf(compareConfiguration)
const importFile = handlerOf(importConfiguration)

// biome-ignore lint/suspicious/noExplicitAny: a test changes files in ways that no type allows
export type Loose = any

/** The demo's export, as it is and as an object. */
export let text = ''
let file: Loose
/** An administrator, who holds every method. */
export const admin = new Browser()

/** Fills the database of the calling test file with the demo. */
export const useDemoConfiguration = () =>
  beforeAll(async () => {
    await seedDemo()
    text = await configurationText(await shellContext())
    file = JSON.parse(text)
    const { login } = await createUser({ roles: ['administrator'] })
    await signInByPassword(admin, login, password)
  })

/** The file with a change. */
export const changed = (change: (content: Loose, whole: Loose) => void): string => {
  const copy = structuredClone(file)
  change(copy.content, copy)
  return JSON.stringify(copy)
}
export const one = (list: Loose[], key: string, value: string) => list.find((each) => each[key] === value)

/** Everything that an import may change. */
export const state = async () => {
  const [rows, events] = await Promise.all([db().$count(history), db().$count(outboxEvents)])
  return [await configurationText(await shellContext()), rows, events]
}

const formOf = (given: string, more: Record<string, string>) => ({
  file: new File([given], 'configuration.json', { type: 'application/json' }),
  ...more,
})
export const difference = (browser: Browser, given: string, more: Record<string, string> = {}): Promise<Loose> =>
  browser.send(compare, 'POST', { body: formOf(given, more) })
export const apply = (browser: Browser, given: string, more: Record<string, string> = {}): Promise<Loose> =>
  browser.send(importFile, 'POST', { body: formOf(given, more) })
