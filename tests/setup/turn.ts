import { connect, type Socket } from 'node:net'

/** What a process of the tests says to the run that started it, a line of JSON each. */
export type Said =
  | { asks: string; kind: string }
  | { ran: string[]; by: string }
  | { plans: Record<string, number>; kind: string }
  | { ended: string; kind: string; failed?: string; again?: string; skipped?: true }

/** The socket of the run that started this process; nothing if the tests were started by themselves. */
const socket = () => process.env.TEST_QUEUE

let toRun: Socket | undefined

/** A line of JSON. A reader of lines also ends one at U+2028 and U+2029, which JSON leaves as they are. */
const lineOf = (said: Said) =>
  `${JSON.stringify(said).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}\n`

/**
 * Says something to the run, if there is one. All is said over one connection: of hundreds that are made at once, as when a
 * file of many short tests ends, the system refuses those for which there is no room.
 */
export function tellRun(said: Said) {
  const path = socket()
  if (!path) return
  toRun ??= connect(path)
    .on('error', () => {})
    // what is still to be written is written nevertheless
    .unref()
  toRun.write(lineOf(said))
}

/**
 * Waits until the run lets this piece of work begin, so that as much is done at once as the machine has processors for.
 * Returns a function that ends the turn; it also ends with the process.
 */
export function takeTurn(kind: string, name: string): Promise<() => void> {
  const path = socket()
  if (!path) return Promise.resolve(() => {})
  return new Promise((resolve, reject) => {
    const line = connect(path, () => line.write(lineOf({ asks: name, kind })))
    line.once('error', reject)
    // a run that was killed gives no turns
    line.once('close', () => reject(new Error('the run of the tests has ended')))
    line.once('data', () => resolve(() => line.end()))
  })
}
