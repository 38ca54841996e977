import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import type { EnableCall, RemoveCall } from '@/lib/kernel/http/area-calls'
import type { CallInput, CallOutput, Contract } from '@/lib/kernel/http/contract'
import type { NoticeParams } from './use-write'

type Shown = { title: string; text?: string }
/** A question: it names the object, and says what follows. */
export type Question = { title: string; text: string; tone?: 'primary' | 'danger' }
type Offered = {
  /** Why it can't be done now, for everybody to read beside it; it is then shown and does nothing. */
  unavailable?: string
}
/** What an action of a slice's own is called. */
type Labelled = Offered & { label: string; icon: LucideIcon; tone?: 'danger' }

/** A call with its input, made by `sends`. */
export type Sent = {
  contract: Contract
  input: unknown
  params?: NoticeParams
  onDone?: (output: never) => void
  send?: (input: never) => Promise<unknown>
}

/** A call with what it is sent; `params` fill its notice, `onDone` follows a success, `send` is done in place of it. */
export const sends = <C extends Contract>(
  contract: C,
  input: CallInput<C>,
  more: {
    params?: NoticeParams
    onDone?: (output: CallOutput<C>) => void
    send?: (input: CallInput<C>) => Promise<CallOutput<C>>
  } = {},
): Sent => ({ contract, input, ...more })

/** Switches something on or off as it was read. `null` asks nothing: it is done at once. */
type Toggle = Offered & {
  contract: EnableCall
  id: string
  enabled: boolean
  updatedAt: string
  ask: { on: Question | null; off: Question | null }
}

/** What can be done with a thing, in the menu of its row or at a button of its card. */
export type Action =
  /** All there is to see, for those who may not change it. */
  | (Offered & Shown & { kind: 'view'; body: ReactNode })
  /** The form; calls `done` when it is saved. */
  | (Offered & Shown & { kind: 'edit'; form: (done: () => void) => ReactNode })
  | (Offered & {
      kind: 'remove'
      contract: RemoveCall
      id: string
      /** Why it can't go now, in a dialog of its own instead of the question. */
      kept?: Shown
    } & Shown)
  | (Toggle & { kind: 'toggle' })
  | (Labelled & { kind: 'link'; href: string })
  /** A dialog of the slice's own. */
  | (Labelled & Shown & { kind: 'dialog'; size?: 'S' | 'M' | 'L'; body: (done: () => void) => ReactNode })
  /** A call that is asked for; `verb` is the button of the question, the label unless told. */
  | (Labelled & { kind: 'confirm'; ask: Question; verb?: string; sends: Sent })
  /** A call at once. */
  | (Labelled & { kind: 'call'; sends: Sent })

/** Actions of a menu in their order; what isn't offered may stand as `false`, `null` or `undefined`. */
export type ActionList = readonly (Action | 'separator' | false | null | undefined)[]

export const isDangerous = (action: Action) =>
  action.kind === 'remove' || ('tone' in action && action.tone === 'danger')

/** The actions in groups with a line between: as listed, and what can't be taken back in a last group of its own. */
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
