import { z } from 'zod'

/** Bytes in Base64URL. */
const bytes = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^[\w-]*$/)

/** What a browser returns of a credential (WebAuthn, section 5.1). Members that nobody reads are left out. */
const Credential = z.object({
  // 1 023 bytes at most (WebAuthn, section 4)
  id: bytes(1364).min(1),
  rawId: bytes(1364).min(1),
  type: z.literal('public-key'),
})

/** The signature by a passkey (`AuthenticationResponseJSON`). */
export const PasskeySignature = Credential.extend({
  response: z.object({
    clientDataJSON: bytes(4096),
    authenticatorData: bytes(2048),
    signature: bytes(6144),
    userHandle: bytes(128).nullish(),
  }),
})
export type PasskeySignature = z.output<typeof PasskeySignature>

/** A new passkey (`RegistrationResponseJSON`). */
export const NewPasskey = Credential.extend({
  response: z.object({
    clientDataJSON: bytes(4096),
    attestationObject: bytes(16_384),
    transports: z.array(bytes(32)).max(16).optional(),
  }),
})
export type NewPasskey = z.output<typeof NewPasskey>

/** What a page shows of a passkey. */
export const PasskeyFacts = z.strictObject({
  id: z.guid(),
  name: z.string(),
  /** Whether it may be copied to other devices of its owner, as an account of Apple or Google does. */
  isSynced: z.boolean(),
  since: z.iso.datetime(),
  usedAt: z.iso.datetime().nullable(),
})
export type PasskeyFacts = z.output<typeof PasskeyFacts>
