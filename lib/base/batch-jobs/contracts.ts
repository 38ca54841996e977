import { z } from 'zod'
import { type Access, contract, Done, Id } from '../contracts/contract'
import { fileAnswer } from '../contracts/file'

const params = z.strictObject({ id: Id })

/** A batch job as its page shows it. */
const BatchJob = z.strictObject({
  id: Id,
  state: z.enum(['running', 'stopped', 'done']),
  total: z.number().int(),
  done: z.number().int(),
  failed: z.number().int(),
  /** Why it stopped by itself: the code of an error; null if a person stopped it. */
  fault: z.string().nullable(),
  date: z.iso.datetime(),
  finishedAt: z.iso.datetime().nullable(),
  worked: z.number().int().meta({ description: 'Seconds that it has worked' }),
  left: z.number().int().nullable().meta({ description: 'About how many seconds it still needs' }),
})
export type BatchJob = z.output<typeof BatchJob>

const Fault = z.strictObject({
  /** Its number in the file. */
  row: z.number().int(),
  title: z.string(),
  code: z.string(),
  /** Values for its text; `column` is the name of the column at fault, if it is one. */
  params: z.record(z.string(), z.union([z.string(), z.number()])),
})
export type BatchFault = z.output<typeof Fault>

type Names = { one: string; many: string; snackbar: string }

/**
 * Returns functions that declare the calls by which people watch, stop and resume batch jobs of a kind. The calls are
 * named like those of `areaCalls`: `readImport`, `stopImport`, with the snackbars `importStop` and `importResume`.
 */
export const batchContracts = (
  common: { tag: string; access: Access },
  path: string,
  { one, many, snackbar }: Names,
) => {
  const errors = { notFound: 404, runOver: 409 }
  return {
    list: (summary: string) =>
      contract({
        ...common,
        name: `list${many}`,
        method: 'GET',
        path,
        summary,
        response: z.strictObject({ runs: z.array(BatchJob) }),
      }),
    read: (summary: string) =>
      contract({
        ...common,
        name: `read${one}`,
        method: 'GET',
        path: `${path}/{id}`,
        summary,
        params,
        response: z.strictObject({ run: BatchJob, faults: z.array(Fault) }),
        errors: { notFound: 404 },
      }),
    stop: (summary: string) =>
      contract({
        ...common,
        name: `stop${one}`,
        snackbar: `${snackbar}Stop`,
        method: 'POST',
        path: `${path}/{id}/stop`,
        summary,
        params,
        response: Done,
        errors,
      }),
    resume: (summary: string) =>
      contract({
        ...common,
        name: `resume${one}`,
        snackbar: `${snackbar}Resume`,
        method: 'POST',
        path: `${path}/{id}/resume`,
        summary,
        params,
        response: Done,
        errors: { ...errors, runRunning: 409 },
      }),
    faults: (summary: string, refusals: Record<string, number> = {}) =>
      contract({
        ...common,
        name: `read${one}Faults`,
        method: 'GET',
        path: `${path}/{id}/faults`,
        summary,
        params,
        response: fileAnswer({ types: ['text/csv'] }),
        errors: { ...refusals, notFound: 404 },
      }),
  }
}

/** The calls of a kind of batch job that a page makes. */
export type BatchContracts = {
  [K in 'read' | 'stop' | 'resume' | 'faults']: ReturnType<ReturnType<typeof batchContracts>[K]>
}
