import { randomUUID } from 'node:crypto'
import { db } from '@/db/client'
import { licenses } from '@/db/schema'
import {
  checkLicense,
  countLicenseSessions,
  deleteLicense,
  readLicenseInfo,
  saveLicense,
} from '@/lib/operations/license/contract'
import type { Caller } from '../../factories/caller'
import { license, usePublicKey, withoutPublicKey } from '../../factories/license'
import { proof, provenIn } from '../../factories/proofs'

const domain = 'localhost'
const info = { owner: 'Поларис', domain, sessions: 500 }
const body = () => ({ key: license({ domain }), domain })
const look = (caller: Caller) => caller.call(readLicenseInfo)
const none = async () => {
  usePublicKey()
  await db().delete(licenses)
}
const refusals = {
  errorLicenseKey: { field: 'key', input: () => ({ body: { ...body(), key: `${license({ domain })}x` } }) },
  errorLicenseDomain: { field: 'domain', input: () => ({ body: { ...body(), domain: 'other.example.com' } }) },
  errorLicenseExpired: {
    field: 'key',
    input: () => ({ body: { key: license({ domain, expiresAt: '2020-01-01T00:00:00.000Z' }), domain } }),
  },
  licenseUnavailable: { within: withoutPublicKey, input: () => ({ body: body() }) },
}

export default [
  proof(readLicenseInfo, {
    prepare: async (caller) => {
      await none()
      const owner = randomUUID()
      await caller.call(saveLicense, { body: { key: license({ domain, owner }), domain } })
      return owner
    },
    input: () => ({}),
    shows: (owner) => ({ form: { domain }, info: { ...info, owner, state: 'valid' }, checkable: true }),
  }),
  proof(saveLicense, {
    makes: ['create license'],
    prepare: none,
    input: () => ({ body: body() }),
    look,
    shows: () => ({ info }),
    errors: refusals,
  }),
  proof(checkLicense, {
    reads: true,
    prepare: async () => {
      await none()
      return randomUUID()
    },
    input: (owner) => ({ body: { key: license({ domain, owner }), domain } }),
    shows: (owner) => ({ ...info, owner }),
    errors: refusals,
  }),
  proof(deleteLicense, {
    makes: ['delete license'],
    prepare: async (caller) => {
      await none()
      await caller.call(saveLicense, { body: body() })
    },
    input: () => ({}),
    look,
    shows: () => ({ info: null }),
    errors: {
      notFound: {
        input: async () => {
          await db().delete(licenses)
          return {}
        },
      },
    },
  }),
  provenIn(countLicenseSessions, ['operations/license.test.ts']),
]
