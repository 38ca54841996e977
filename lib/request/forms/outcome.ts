import { z } from 'zod'
import type { Cookies } from '@/lib/base/context/ctx'
import { decrypt, encrypt } from '@/lib/base/crypto/encryption'
import { browserCookie } from '@/lib/base/http/form-token'
import { outcomeCookies } from '@/lib/base/http/page-form'

/** How a form ended, for the page that is drawn next: that it couldn't do what it asked for, or what it tells. */
export const Outcome = z.looseObject({
  form: z.string(),
  /** 200 if the form did what it asked for; then `data` is what it tells. */
  status: z.number(),
  code: z.string(),
  data: z.record(z.string(), z.unknown()),
  requestId: z.string().optional(),
  /** When the person may try again, in milliseconds since the epoch. */
  until: z.number().optional(),
  /** What was typed into the fields that the form keeps. */
  values: z.array(z.tuple([z.string(), z.string()])),
})
export type Outcome = z.output<typeof Outcome>
/** `ends`: until when it is shown, in milliseconds since the epoch; a browser may keep cookies for longer. */
export const StoredOutcome = Outcome.extend({ ends: z.number() })

/** Browsers keep cookies of up to 4 096 bytes, and the server reads 16 KiB of headers. */
const partSize = 3_600
/** Seconds: the page is requested at once, and may be loaded again. */
const lifetime = 60
/** Seconds for which a page tells what was done: as long as people wait for a mail. */
const toldLifetime = 60 * 60

/** An outcome can be read in this browser, and by the page at this address. */
const reader = (cookies: Pick<Cookies, 'get'>, address: string) => `${cookies.get(browserCookie) ?? ''} ${address}`

/**
 * Stores in this browser the outcome that the page at an address shows. Of what is too long, the longest values are left
 * out: the browser sends the address beside the cookies.
 */
export function storeOutcome(cookies: Cookies, address: string, outcome: Outcome) {
  const tells = outcome.status === 200 && Object.keys(outcome.data).length > 0
  const maxAge = tells ? toldLifetime : lifetime
  const values = [...outcome.values]
  const ends = Date.now() + maxAge * 1000
  const written = () => JSON.stringify({ ...outcome, ends, values })
  const most = partSize * outcomeCookies.length - address.length
  // encryption is in Base64, with a head of less than 100 characters
  while ((Buffer.byteLength(written()) * 4) / 3 + 100 > most && values.length > 0) {
    const longest = values.reduce(
      (at, [, value], index) => (value.length > (values[at]?.[1].length ?? 0) ? index : at),
      0,
    )
    values.splice(longest, 1)
  }
  const text = encrypt('forms', written(), reader(cookies, address))
  for (const [part, name] of outcomeCookies.entries()) {
    const piece = text.slice(part * partSize, (part + 1) * partSize)
    if (piece) cookies.set(name, piece, { maxAge })
    else if (cookies.get(name)) cookies.set(name, null)
  }
}

/** Returns the outcome that the page at an address shows; null if there is none, it is over or somebody changed it. */
export function readOutcome(cookies: Pick<Cookies, 'get'>, address: string): Outcome | null {
  const text = outcomeCookies.map((name) => cookies.get(name) ?? '').join('')
  if (!text) return null
  try {
    const outcome = StoredOutcome.parse(JSON.parse(decrypt('forms', text, reader(cookies, address))))
    return outcome.ends > Date.now() ? outcome : null
  } catch {
    return null
  }
}

/** Removes the outcome of an earlier form. */
export function removeOutcome(cookies: Cookies) {
  for (const name of outcomeCookies) if (cookies.get(name)) cookies.set(name, null)
}
