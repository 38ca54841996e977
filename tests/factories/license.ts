import { env } from '@/lib/base/runtime/env'
import { issueLicense, type LicenseContent, newKeys } from '@/lib/operations/license/format'

const { privateKey, publicKey } = newKeys()

/** Lets the process check the licenses of `license`. */
export function usePublicKey(): void {
  env().LICENSE_PUBLIC_KEY = publicKey
}

/** Runs the work while the process can check no license. */
export async function withoutPublicKey<T>(work: () => Promise<T>): Promise<T> {
  env().LICENSE_PUBLIC_KEY = undefined
  try {
    return await work()
  } finally {
    usePublicKey()
  }
}

/** A license for 500 sessions that doesn't expire. */
export const license = (more: Partial<LicenseContent> = {}) =>
  issueLicense(privateKey, { owner: 'Поларис', domain: 'localhost', expiresAt: null, sessions: 500, ...more })
