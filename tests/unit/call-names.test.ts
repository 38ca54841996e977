import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { contracts } from '@/lib/context/contracts'
import type { Contract } from '@/lib/kernel/http/contract'

/** A route file passes a contract and the verb of the same name to `route`, both from their modules. */

/**
 * The exceptions are the file of live events, whose handler streams on request (`lib/context/live.ts`), and the addresses
 * that lead people and providers through a sign-in there, which are no calls (`lib/context/provider-sign-in.ts`).
 */
const live = 'app/api/v1/platform/live/route.ts'
const elsewhere = (file: string) => file === live || file.startsWith('app/api/v1/platform/auth/providers/[id]/')

const files = globSync('app/api/v1/platform/**/route.ts').filter((file) => !elsewhere(file))
const handlersOf = (file: string) => {
  const text = readFileSync(file, 'utf8')
  return text.split(/^export const (?=\w+ = )/m).slice(1)
}

test('contract and verb of a call have one name', () => {
  const handlers = files.flatMap((file) => handlersOf(file).map((text) => ({ file, text })))
  expect(handlers).toHaveLength(contracts.length - 1)
  const others = handlers.filter(({ text }) => !/^[A-Z]+ = route\(\s*\w+\.(\w+),\s*\w+\.\1,?\s*\)\s*$/.test(text))
  expect(others).toEqual([])
})

/** Calls that the OpenAPI document has published under the second name. */
const published: Record<string, string> = {
  readInvitation: 'invitation',
  declineInvitation: 'invitationDecline',
  sendInvitationCode: 'invitationCode',
  verifyInvitationMobile: 'invitationVerify',
  acceptInvitation: 'invitationAccept',
}

test('a contract is exported under the name that the OpenAPI document gives it', () => {
  const modules = import.meta.glob('/lib/**/contract.ts', { eager: true }) as Record<string, Record<string, unknown>>
  const known = new Set<unknown>(contracts)
  const exported = Object.values(modules).flatMap((module) =>
    Object.entries(module).filter(([, value]) => known.has(value)),
  )
  expect(exported).toHaveLength(contracts.length)
  const named = exported.map(([name, value]) => [name, (value as Contract).name])
  expect(named.filter(([name = '', operation]) => (published[name] ?? name) !== operation)).toEqual([])
})
