import { z } from 'zod'
import { contract, Done, line, requiredLine } from '@/lib/base/contracts/contract'
import { readVersion } from '@/lib/base/lists/area-calls'

const TabInput = z.strictObject({ title: requiredLine(100), titleEn: line(100).default('') })

const area = 'dynamic-fields'
const path = '/setting/dynamic-fields/{type}/tabs'
const common = { tag: area, access: { area } } as const
const OfType = z.strictObject({ type: line(64) })
const OfTab = OfType.extend({ tab: line(64) })

export const createFieldTab = contract({
  ...common,
  name: 'createFieldTab',
  snackbar: 'tabCreate',
  summary: 'Creates a tab, the last one of its type; its id is made from the title',
  method: 'POST',
  path,
  params: OfType,
  body: TabInput,
  response: z.strictObject({ id: z.string() }),
  errors: { notFound: 404 },
})

export const updateFieldTab = contract({
  ...common,
  name: 'updateFieldTab',
  snackbar: 'tabUpdate',
  summary: 'Renames a tab',
  method: 'PUT',
  path: `${path}/{tab}`,
  params: OfTab,
  body: TabInput.extend(readVersion),
  response: Done,
  errors: { notFound: 404, conflict: 409 },
})

export const deleteFieldTab = contract({
  ...common,
  name: 'deleteFieldTab',
  snackbar: 'tabDelete',
  summary: 'Deletes a tab without blocks that is not shipped',
  method: 'DELETE',
  path: `${path}/{tab}`,
  params: OfTab,
  response: Done,
  errors: { notFound: 404, fieldSystemic: 409, tabUsed: 409 },
})
