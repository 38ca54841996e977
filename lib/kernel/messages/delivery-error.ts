import { beginning } from '../scrub'

type Faults = {
  /** Trying again would end the same way. */
  permanent?: boolean
  /** It isn't about this message: others fail too. */
  away?: boolean
}

/** Why a message did not leave. What it says is kept in the database, so no secret and nothing of the message is in it. */
export class DeliveryError extends Error {
  override name = 'DeliveryError'
  readonly permanent: boolean
  readonly away: boolean
  constructor(message: string, { permanent = false, away = false }: Faults = {}) {
    super(message)
    this.permanent = permanent
    this.away = away
  }
}

/** What somebody else's error says, without addresses, numbers and credentials. */
export const withoutSecrets = (said: string) =>
  beginning(said)
    // servers answer on several lines
    .replace(/\p{Cc}+/gu, ' ')
    .replace(/\b[a-z][a-z\d+.-]*:\/\/\S+/gi, '(address)')
    .replace(/[^\s<>"'(),;:]+@[^\s<>"'(),;:]+/g, '(e-mail)')
    .replace(/\+?\d[\d\s()-]{8,}\d/g, '(number)')
    .slice(0, 300)
    .trim()
