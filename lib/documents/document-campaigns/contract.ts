import { z } from 'zod'
import { batchContracts } from '@/lib/base/batch-jobs/contracts'
import { contract, Id, line } from '@/lib/base/contracts/contract'
import { fileAnswer } from '@/lib/base/contracts/file'
import { exportQuery, exportTypes } from '@/lib/base/export/query'
import { CursorMeta, listQuery } from '@/lib/base/lists/lists'

const params = z.strictObject({ id: Id })
const tag = 'documents'
/** A caller who may read documents may not necessarily see who people are. */
const ofPeople = { tag, access: { area: 'users' }, params } as const
const ofDocuments = { tag, access: { area: 'libraries' } } as const

/**
 * A person's answer: agreed to the current version, refused the agreement, has to answer, or agreed only to an earlier
 * version and doesn't have to answer (docs/rules/agreements.md#who-has-agreed).
 */
export const acceptanceStates = ['accepted', 'refused', 'outstanding', 'earlier'] as const

const ListParts = {
  filters: {
    /** A part of the name, the login or the e-mail. */
    search: line(100).optional(),
    state: z.enum(acceptanceStates, 'errorFormat').optional(),
    /** Only people who agreed to this version. */
    version: z.coerce.number({ error: 'errorFormat' }).int('errorFormat').min(1, 'errorRange').max(1e6).optional(),
    dateFrom: z.iso.date('errorFormat').optional(),
    dateTo: z.iso.date('errorFormat').optional(),
  },
  sorts: ['date', 'name'],
  defaultSort: { by: 'name', order: 'asc' },
} as const

export const AcceptanceQuery = listQuery({ ...ListParts, cursor: true })

const Acceptance = z.strictObject({
  /** The id of the account. */
  id: Id,
  name: z.string(),
  login: z.string(),
  email: z.string().nullable(),
  enabled: z.boolean(),
  state: z.enum(acceptanceStates),
  /** The version that they agreed to last, or that of the filter. */
  version: z.number().int().nullable(),
  /** The time of the consent or of the refusal. */
  date: z.iso.datetime().nullable(),
  /** The address from which they agreed. */
  ip: z.string().nullable(),
  /** The time of the last reminder of the current version. */
  remindedAt: z.iso.datetime().nullable(),
})
export type Acceptance = z.output<typeof Acceptance>

export const listAcceptances = contract({
  ...ofPeople,
  name: 'listAcceptances',
  method: 'GET',
  path: '/setting/documents/{id}/acceptances',
  summary: 'Who agreed to an agreement, who refused it, and who is still asked',
  query: AcceptanceQuery,
  response: z.strictObject({ acceptances: z.array(Acceptance), meta: CursorMeta }),
  errors: { notFound: 404 },
})

export const exportAcceptances = contract({
  ...ofPeople,
  name: 'exportAcceptances',
  method: 'GET',
  path: '/setting/documents/{id}/acceptances/export',
  summary: 'The same list as a file, under its filters',
  query: exportQuery(ListParts),
  response: fileAnswer({ types: Object.values(exportTypes) }),
  errors: { notFound: 404 },
})

const count = z.number().int()

const Campaign = z.strictObject({
  version: count,
  /** The time when the version rose, or when the document was created. */
  since: z.iso.datetime(),
  /** The domains that require it at sign-in. */
  domains: z.array(z.strictObject({ id: Id, host: z.string() })),
  /** The number of people whom it concerns, and how many of them agreed, refused, and haven't answered. */
  concerned: count,
  agreed: count,
  refused: count,
  left: count,
  /** Of those who haven't answered: how many have no e-mail, and how many were already reminded. */
  unreachable: count,
  reminded: count,
  remindedAt: z.iso.datetime().nullable(),
  /** The number of people who agreed to each version, the newest first. */
  versions: z.array(z.strictObject({ version: count, accepted: count })),
  /** The caller's newest batch job of reminders of this version. */
  run: Id.nullable(),
})
export type Campaign = z.output<typeof Campaign>

export const readCampaign = contract({
  ...ofDocuments,
  name: 'readCampaign',
  method: 'GET',
  path: '/setting/documents/{id}/campaign',
  summary: 'How far people are with the current version of an agreement',
  params,
  response: Campaign,
  errors: { notFound: 404 },
})

export const startReminders = contract({
  ...ofDocuments,
  name: 'startReminders',
  snackbar: 'documentsRemind',
  method: 'POST',
  path: '/setting/documents/{id}/reminders',
  summary: 'Reminds those who are left, each once a version unless `repeat`, by mail and notice, as a run',
  params,
  body: z.strictObject({
    /** The version that the caller saw. */
    version: z.number({ error: 'errorFormat' }).int('errorFormat'),
    repeat: z.boolean('errorFormat').default(false),
  }),
  response: z.strictObject({ id: Id, count }),
  errors: { notFound: 404, conflict: 409, remindNobody: 409, runRunning: 409, tooManyAttempts: 429 },
})

const runs = batchContracts(ofDocuments, '/setting/documents/reminders', {
  one: 'ReminderRun',
  many: 'ReminderRuns',
  snackbar: 'documentsReminders',
})
export const listReminderRuns = runs.list('The newest runs of reminders that the caller has started')
export const readReminderRun = runs.read('A run of reminders: how far it is, and its first faults')
export const stopReminderRun = runs.stop('Stops a run of reminders; nobody is reminded after the answer')
export const resumeReminderRun = runs.resume('Lets a stopped run of reminders go on')
export const readReminderRunFaults = runs.faults('The people who were not reminded, as CSV with the reason')
