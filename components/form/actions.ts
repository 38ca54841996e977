import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import type { CallInput, CallOutput, Contract } from '@/lib/base/contracts/contract'
import type { EnableCall, RemoveCall } from '@/lib/base/lists/area-calls'
import type { NoticeParams } from './use-write'

/** A contract, or a function that loads it, so that the page doesn't wait for it. */
export type Loadable<C> = C | (() => Promise<C>)

/** Returns the contract, and loads it first if necessary. */
export const loaded = async <C extends Contract>(contract: Loadable<C>): Promise<C> =>
  typeof contract === 'function' ? (contract as () => Promise<C>)() : contract

type ViewTitle = { title: string; text?: string }
/** A question, which names the object and the consequence. The text may be a component that reads the consequence. */
export type Question = { title: string; text: ReactNode; tone?: 'primary' | 'danger' }
type Offered = {
  /** Why the action isn't possible now. It is shown with this reason and does nothing. */
  unavailable?: string
}
/** The label of an action that only this module has. */
type Labelled = Offered & { label: string; icon: LucideIcon; tone?: 'danger' }

/** A call with its input, made by `sends`. */
export type Sent = {
  contract: Loadable<Contract>
  input: unknown
  params?: NoticeParams
  onDone?: (output: never) => void
  leaves?: (output: never) => boolean
  send?: (input: never) => Promise<unknown>
}

/**
 * A call with its input. `params` fill its snackbar, `onDone` runs after a success, `send` replaces the call. For a
 * button of the page the contract is a function that loads it, so that the page doesn't wait for it.
 */
export const sends = <C extends Contract>(
  contract: Loadable<C>,
  input: CallInput<C>,
  more: {
    params?: NoticeParams
    onDone?: (output: CallOutput<C>) => void
    /** Whether `onDone` leaves the page. */
    leaves?: (output: CallOutput<C>) => boolean
    send?: (input: CallInput<C>) => Promise<CallOutput<C>>
  } = {},
): Sent => ({ contract, input, ...more })

/** What a started action needs. */
export type Step =
  | { kind: 'view'; shown: ViewTitle; body?: ReactNode; size?: 'S' }
  | { kind: 'dialog'; shown: ViewTitle; size?: 'S' | 'M' | 'L'; body: (done: () => void) => ReactNode }
  | { kind: 'confirm'; ask: Question; verb: string; sent: Sent }
  | { kind: 'call'; sent: Sent }
  | { kind: 'link'; href: string }

/** Enables or disables something. With `null` it doesn't ask and switches at once. */
type Toggle = Offered & {
  contract: Loadable<EnableCall>
  id: string
  enabled: boolean
  updatedAt: string
  ask: { on: Question | null; off: Question | null }
}

/** An action on an object, in the menu of its row or as a button of its card. */
export type Action =
  /** Shows the whole object, for people who may not change it. */
  | (Offered & ViewTitle & { kind: 'view'; body: ReactNode })
  /** The form; calls `done` after saving. */
  | (Offered & ViewTitle & { kind: 'edit'; size?: 'S' | 'M' | 'L'; form: (done: () => void) => ReactNode })
  | (Offered & {
      kind: 'remove'
      contract: Loadable<RemoveCall>
      id: string
      /** Why it can't be deleted now. A dialog shows this instead of the question. */
      blocked?: ViewTitle
    } & ViewTitle)
  | (Toggle & { kind: 'toggle' })
  | (Labelled & { kind: 'link'; href: string })
  /** Links to the object's card. */
  | (Offered & { kind: 'card'; href: string })
  /** A dialog that the module renders itself. */
  | (Labelled & ViewTitle & { kind: 'dialog'; size?: 'S' | 'M' | 'L'; body: (done: () => void) => ReactNode })
  /** Asks, then calls. `verb` is the label of the question's button, by default the action's label. */
  | (Labelled & { kind: 'confirm'; ask: Question; verb?: string; sends: Sent })
  /** Calls without asking. */
  | (Labelled & { kind: 'call'; sends: Sent })

/** The actions of a menu in their order. `false`, `null` and `undefined` are ignored. */
export type ActionList = readonly (Action | 'separator' | false | null | undefined)[]

export const isDangerous = (action: Action) =>
  action.kind === 'remove' || ('tone' in action && action.tone === 'danger')

/** Returns the actions in groups, which a line separates. Actions that can't be undone are in a last group. */
export function groupsOf(list: ActionList): Action[][] {
  const groups: Action[][] = [[]]
  const dangerous: Action[] = []
  for (const entry of list) {
    if (!entry) continue
    if (entry === 'separator') groups.push([])
    else if (isDangerous(entry)) dangerous.push(entry)
    else groups.at(-1)?.push(entry)
  }
  return [...groups, dangerous].filter((group) => group.length > 0)
}
