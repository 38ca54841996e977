import { defaultCodes, type ErrorStatus } from './error-codes'

/** A fault of one field of the input: `code` is a message key, `params` are values for its text. */
export type FieldError = { field: string; code: string; params?: Record<string, string | number> }

/** An agreement that the person has not accepted in its current version. */
export type TermsRequired = { id: string; version: number; title: string; linkTitle: string; link: string }

/** Who saved or deleted an object: a person's or an application's name, and whether it is the caller. */
export type Saver = { name: string; you: boolean }

/** What somebody else has saved since: its version, and the values of all fields that aren't secret. */
export type Conflict = {
  updatedAt: string
  at: string
  /** Null if the history doesn't know. */
  by: Saver | null
  values: Record<string, unknown>
  /** Secret fields that changed. */
  hidden: string[]
}
export type Deletion = { at: string; by: Saver | null }
/** When and by whom something was decided that can be decided only once. */
export type Decided = Deletion

export type ErrorData = {
  errorList?: FieldError[]
  termsRequired?: TermsRequired[]
  uniqueErrors?: FieldError[]
  expired?: boolean
  conflict?: Conflict
  deleted?: Deletion
  decided?: Decided
  /** How many objects of each kind use the object, so that it can't be deleted. */
  usedBy?: Record<string, number>
  error?: string
  providerError?: { status: string; requiredRights: string[] }
}

/** The only error that services throw on purpose. `code` is a message key, never a sentence. */
export class AppError extends Error {
  override name = 'AppError'
  readonly code: string
  constructor(
    readonly status: ErrorStatus,
    code?: string,
    readonly data: ErrorData = {},
    /** Seconds after which trying again makes sense, for 429 and 503. */
    readonly retryAfter?: number,
  ) {
    super(code ?? defaultCodes[status])
    this.code = code ?? defaultCodes[status]
  }
}

/** Returns a 400 with one faulty field. */
export const fieldError = (field: string, code: string, params?: FieldError['params']) =>
  new AppError(400, undefined, { errorList: [params ? { field, code, params } : { field, code }] })

export const notFound = () => new AppError(404)
