import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { contracts } from '@/lib/context/contracts'
import type { Contract } from '@/lib/kernel/http/contract'

/** A route file hands a contract and the verb of the same name to `route`, both by their modules. */

const files = globSync('app/api/v1/platform/**/route.ts')
const handlers = files.flatMap((file) =>
  [...readFileSync(file, 'utf8').matchAll(/^export const (\w+) = (.*)$/gm)].map(([, method, made = '']) => ({
    file,
    method,
    made,
  })),
)

/** The stream of events answers pages that ask for text/event-stream itself; `lib/context/live.ts` makes its handler. */
const elsewhere = ['app/api/v1/platform/live/route.ts']

test('contract and verb of a call have one name', () => {
  expect(handlers.length).toBeGreaterThan(50)
  const others = handlers.filter(({ file, made }) => {
    const [, contract, verb] = /^route\(calls\.(\w+), verbs\.(\w+)\)$/.exec(made) ?? []
    return !elsewhere.includes(file) && (contract === undefined || contract !== verb)
  })
  expect(others).toEqual([])
})

/** Published before: who reads the OpenAPI document knows these calls by the second name. */
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
