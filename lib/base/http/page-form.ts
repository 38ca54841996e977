import type { Ctx } from '../context/ctx'
import type { CallInput, CallOutput, Contract } from '../contracts/contract'

/** A form of a public page, as a browser posted it to the page's own address. */
export type PostedForm = {
  /** The context before any call: what the calls change isn't in it. */
  ctx: Ctx
  fields: URLSearchParams
  /** The parameters of the page's path, and its query. */
  params: Record<string, string>
  search: URLSearchParams
  /** Makes a call of the REST API for this browser. Throws CallError with the code of a failed answer. */
  call<C extends Contract>(contract: C, input: CallInput<C>): Promise<CallOutput<C>>
}

/** What a form of a page does. */
export type PageForm = {
  /**
   * The fields whose values the page shows again after a failure; with a dot at its end, all fields that begin so.
   * Passwords and codes are never among them.
   */
  keeps: readonly string[]
  /**
   * Returns the address where the person goes next; undefined for the page itself. Throws CallError, or AppError for a
   * fault that no call finds.
   */
  send(form: PostedForm): Promise<string | Told | undefined>
}

/** Where the person goes next, if that page shows for a while what the form keeps and `tells`. */
type Told = { to: string; tells: Record<string, unknown> }

/** The forms of a page, by the value of their field `form`. */
export type PageForms = {
  /** With `{id}` for a parameter. */
  path: string
  forms: Record<string, PageForm>
  /** Returns the page that sent a form, if several pages have it and `path` is none of them. */
  sentFrom?: (fields: URLSearchParams) => string
  /** The forms change only how pages look: a token of any age sends them, and more than once. */
  harmless?: boolean
}

/** The cookies in which a browser has how a form ended, for the page that is drawn next. */
export const outcomeCookies = ['outcome0', 'outcome1', 'outcome2']

/** The failure of a form that another address of the page shows. `cause` is what PageForm throws. */
export class FailedAt extends Error {
  override name = 'FailedAt'
  constructor(
    readonly to: string,
    override readonly cause: unknown,
  ) {
    super(to)
  }
}
