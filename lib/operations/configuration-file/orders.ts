import type { Configured } from './format'
import type { Rows } from './queries'

/** Returns the orders that administrators set, each with the name of its list. */
export function ordersOf(rows: Rows): Configured<'orders'>[] {
  const types = [...new Set(rows.tabs.map(({ type }) => type))]
  return [
    { of: 'applications', order: rows.applications.map(({ code }) => code) },
    { of: 'authenticationSchemas', order: rows.schemas.filter(({ base }) => !base).map(({ code }) => code) },
    ...types.map((type) => ({
      of: `fieldTabs/${type}`,
      order: rows.tabs.filter((tab) => tab.type === type).map(({ id }) => id),
    })),
    ...rows.tabs.map((tab) => ({
      of: `fieldBlocks/${tab.type}/${tab.id}`,
      order: rows.blocks.filter(({ type, tabId }) => type === tab.type && tabId === tab.id).map(({ code }) => code),
    })),
    ...rows.blocks.map(({ type, code }) => ({
      of: `fields/${type}/${code}`,
      order: rows.fields.filter((field) => field.type === type && field.subtype === code).map((field) => field.code),
    })),
  ]
}
