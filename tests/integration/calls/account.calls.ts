import { eq } from 'drizzle-orm'
import sharp from 'sharp'
import { expect } from 'vitest'
import { db } from '@/db/client'
import { users } from '@/db/schema'
import { deleteAvatar, getAvatar, patchAvatar, readAvatar } from '@/lib/my-account/avatar/contract'
import { requestContactCode, verifyContact } from '@/lib/my-account/contact-details/contract'
import { deleteProfile, requestDeletionCode } from '@/lib/my-account/deletion/contract'
import { changePassword, requestPasswordCode } from '@/lib/my-account/password/contract'
import { readProfileDetails, updateProfile } from '@/lib/my-account/personal/contract'
import { getProfileHistory } from '@/lib/operations/own-history/contract'
import { type Caller, callerFor } from '../../factories/caller'
import { changing, deleting, proving } from '../../factories/own-account'
import { proof, provenIn } from '../../factories/proofs'

let hue = 0
/** A picture that differs from every other one. */
const picture = async () => {
  hue = (hue + 47) % 256
  const image = sharp({ create: { width: 300, height: 200, channels: 3, background: { r: hue, g: 255 - hue, b: 90 } } })
  return new File([new Uint8Array(await image.png().toBuffer())], 'me.png', { type: 'image/png' })
}
const withPicture = async (caller: Caller) => caller.call(patchAvatar, { body: { file: await picture() } })
const idOf = (caller: Caller) => caller.serve(async ({ user }) => user?.id ?? '')

export default [
  proof(getAvatar, { prepare: withPicture, input: () => ({}), shows: ({ fileId }) => ({ fileId }) }),
  provenIn(patchAvatar, ['accounts/pictures.test.ts'], {
    makes: ['update users'],
    prepare: async () => {
      const caller = await callerFor(patchAvatar)
      return () => withPicture(caller)
    },
  }),
  proof(deleteAvatar, {
    makes: ['update users'],
    prepare: async (caller) => ({ ...(await withPicture(caller)), id: await idOf(caller) }),
    input: () => ({}),
    look: (caller) => caller.call(getAvatar),
    shows: () => ({ fileId: null }),
    errors: {
      notFound: {
        by: async () => callerFor(deleteAvatar),
        input: () => ({}),
      },
      profileReadOnly: {
        by: async () => {
          const locked = await callerFor(deleteAvatar)
          await withPicture(locked)
          await db()
            .update(users)
            .set({ isEditable: false })
            .where(eq(users.id, await idOf(locked)))
          return locked
        },
        input: () => ({}),
      },
    },
  }),
  provenIn(readAvatar, ['accounts/pictures.test.ts']),
  provenIn(requestContactCode, ['my-account/own-contacts.test.ts'], {
    rules: ['my-account/own-account-attacks.test.ts'],
    unrecorded: 'sends a code; what it proves is recorded',
  }),
  provenIn(verifyContact, ['my-account/own-contacts.test.ts', 'my-account/stolen-session.test.ts'], {
    rules: ['my-account/own-account-attacks.test.ts'],
    makes: ['update users'],
    prepare: proving,
  }),
  provenIn(changePassword, ['my-account/own-password.test.ts'], {
    makes: ['update users'],
    prepare: changing,
  }),
  provenIn(requestPasswordCode, ['my-account/own-password.test.ts'], {
    rules: ['my-account/own-contacts.test.ts'],
    unrecorded: 'sends a code; the password is recorded',
  }),
  provenIn(deleteProfile, ['my-account/own-deletion.test.ts'], {
    makes: ['delete users'],
    prepare: deleting,
  }),
  provenIn(requestDeletionCode, ['my-account/own-deletion.test.ts'], {
    rules: ['my-account/own-contacts.test.ts'],
    unrecorded: 'sends a code; the deletion is recorded',
  }),
  proof(getProfileHistory, {
    prepare: async (caller) => {
      const value = `h-${crypto.randomUUID()}@polaris.example`
      const { contactsInfo } = await caller.call(readProfileDetails)
      const emails = [...contactsInfo.emails, { value, main: false }].map(({ value, main }) => ({ value, main }))
      await caller.call(updateProfile, { body: { contacts: { emails } } })
      return value
    },
    input: () => ({ query: {} }),
    shows: (value) => ({
      acts: expect.arrayContaining([
        expect.objectContaining({
          type: 'update',
          changes: [
            expect.objectContaining({
              field: 'otherEmails',
              diff: expect.objectContaining({ added: [{ as: 'text', value }] }),
            }),
          ],
        }),
      ]),
    }),
  }),
]
