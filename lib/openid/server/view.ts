import type { IncomingMessage } from 'node:http'

export type ApplicationNames = { name: string; nameEn: string | null }

/** The faults of a user code, or of the request with it. */
export type CodeFault = 'empty' | 'wrong' | 'expired' | 'used' | 'tooMany' | 'stale' | 'failed' | 'unavailable'

export type ProviderFailure =
  | 'expired'
  | 'client'
  | 'address'
  | 'unavailable'
  | 'other'
  | 'trial'
  | 'signOut'
  | 'signOutUnavailable'

/** The parts of a form of the OpenID Provider: its address, and the token that proves that the form is ours. */
type Form = { action: string; xsrf: string }

/** What a page of the OpenID Provider shows. It crosses from the server process to Next as JSON. */
export type ProviderView =
  /** `application` is the one that sent the person, as far as it is known. */
  | { kind: 'failure'; failure: ProviderFailure; application?: ApplicationNames | undefined }
  | {
      kind: 'noAccess'
      application: ApplicationNames
      /** Where access can be requested; null while there is no such page. */
      request: string | null
      /** Contacts to ask instead. */
      helpers: { title: string; text: string; url: string }[]
      /** Returns to the application with a refusal. */
      back: string
    }
  | {
      kind: 'consent'
      application: ApplicationNames
      /** Where the application is, and where the person returns to if that is elsewhere. */
      address: string | null
      returnTo: string | null
      person: string
      scopes: string[]
      /** Whether the person has consented to other scopes before. */
      more: boolean
      action: string
    }
  | { kind: 'account'; application: ApplicationNames; person: string; action: string }
  /** `stay` is the address for a person who stays signed in. */
  | ({ kind: 'signOut'; stay: string; application?: ApplicationNames | undefined } & Form)
  | { kind: 'signedOut' }
  | ({ kind: 'code'; typed: string; fault: CodeFault | null; minutes: number } & Form)
  | ({
      kind: 'confirm'
      application: ApplicationNames
      /** The code as the device shows it. */
      code: string
      device: string
      ip: string
      person: string
    } & Form)
  | { kind: 'confirmed'; application: ApplicationNames }
  /** `again` is the address for another code. */
  | { kind: 'refused'; again: string }

/** The private header in which the server process hands a view to Next. */
export const viewHeader = 'x-platform-view'

/** Where the page is that draws a view. */
export const viewPath = '/platform/provider'

/** Writes a view for `viewHeader`. */
export const writeView = (view: ProviderView) => Buffer.from(JSON.stringify(view)).toString('base64url')

/** Reads what `writeView` wrote. Only the server process writes that header; it drops a client's. */
export const readView = (text: string): ProviderView => JSON.parse(Buffer.from(text, 'base64url').toString())

/** Returns whether the view has a form, whose answer may redirect to an application, and from there anywhere. */
export const leavesPlatform = (view: ProviderView) => 'action' in view

type Answer = { view: ProviderView; status: number }
const answers = new WeakMap<IncomingMessage, Answer>()

/** Answers a request with a page: the server process draws it when the OpenID Provider is done. */
export const answerWith = (req: IncomingMessage, status: number, view: ProviderView) =>
  void answers.set(req, { status, view })

/** Drops the page with which a request was to be answered, because something has failed since. */
export const dropAnswer = (req: IncomingMessage) => void answers.delete(req)

/** Returns the page with which to answer a request; undefined if there is another answer. */
export const answerOf = (req: IncomingMessage): Answer | undefined => answers.get(req)
