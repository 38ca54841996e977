import { beginning, guid } from '../runtime/redact'

/** A number, or an id, which stays although a part of it may look like a number. */
const idOrNumber = new RegExp(`(${guid})|\\+?\\d[\\d\\s()-]{8,}\\d`, 'gi')

type Faults = {
  /** Whether a further try would fail in the same way. */
  permanent?: boolean
  /** Whether the service is away, so that other messages fail too. */
  away?: boolean
}

/**
 * Thrown when a message was not sent. Its text is stored in the database, so it contains no secret and nothing of the
 * message.
 */
export class SendError extends Error {
  override name = 'DeliveryError'
  readonly permanent: boolean
  readonly away: boolean
  constructor(message: string, { permanent = false, away = false }: Faults = {}) {
    super(message)
    this.permanent = permanent
    this.away = away
  }
}

/** Returns the text of a foreign error, without addresses, numbers and credentials. */
export const withoutSecrets = (text: string) =>
  beginning(text)
    // servers answer on several lines
    .replace(/\p{Cc}+/gu, ' ')
    .replace(/\b[a-z][a-z\d+.-]*:\/\/\S+/gi, '(address)')
    .replace(/[^\s<>"'(),;:]+@[^\s<>"'(),;:]+/g, '(e-mail)')
    .replace(idOrNumber, (_, id?: string) => id ?? '(number)')
    .slice(0, 300)
    .trim()
