import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { areas, systemicMethods } from '@/lib/base/access/access-methods'
import type { Contract } from '@/lib/base/contracts/contract'
import { contracts } from '@/lib/wiring/contracts'
import { startProvider } from '../../factories/oidc'
import { byName, handlerOf } from '../../factories/routes'
import { prepareSamples, sampleBody, sampleParams, sampleQuery } from '../../factories/samples'
import { callAs, createServiceAccount, holdMethods } from '../../factories/service-accounts'
import { useTestDatabase } from '../../setup/database'
import { eachFifth } from '../../setup/scope'

useTestDatabase()

let running: Awaited<ReturnType<typeof startProvider>>
beforeAll(async () => {
  running = await startProvider()
  await prepareSamples()
})
afterAll(() => running.stop())

describe('who may make which call', () => {
  const guarded = contracts.filter(({ access }) => access !== 'public')

  /** Calls of areas for people alone: reminders are a person's (docs/rules/agreements.md#reminders), a trial signs its person in (docs/rules/openid-provider.md#trial-sign-in). */
  const ofPeople =
    /^(?:startReminders|listReminderRuns|(?:read|stop|resume)ReminderRun|readReminderRunFaults|startClientTrial)$/

  /** Methods, and the expected answer of a call with them. */
  function expectations({ name, access, method }: Contract): [readonly string[], 'allowed' | 403][] {
    if (access === 'user' || access === 'public' || ofPeople.test(name))
      return [[systemicMethods.filter(forServices), 403]]
    if ('method' in access)
      return [
        [[], 403],
        // what an account can't hold, it has no call for, whatever else it holds
        forServices(access.method) ? [[access.method], 'allowed'] : [systemicMethods.filter(forServices), 403],
      ]
    const ownAreas = 'areas' in access ? access.areas : [access.area]
    const others = areas.filter((area) => !ownAreas.includes(area)).flatMap((area) => [`${area}.read`, `${area}.write`])
    return [
      [[], 403],
      [others, 403],
      ...ownAreas.flatMap((area): [readonly string[], 'allowed' | 403][] => [
        [[`${area}.read`], method === 'GET' ? 'allowed' : 403],
        [[`${area}.write`], 'allowed'],
      ]),
    ]
  }
  const forServices = (method: string) => method !== 'masterAccountAccess'

  let account: Awaited<ReturnType<typeof createServiceAccount>>
  beforeAll(async () => {
    account = await createServiceAccount(running)
  })

  test.each(eachFifth(byName(guarded)))(
    '%s is open to a service account by its methods alone, at once after each change',
    async (_, contract) => {
      const { application, token } = account
      const faults: string[] = []
      for (const [heldMethods, expected] of expectations(contract)) {
        await holdMethods(application.id, heldMethods)
        const { status, body, headers } = await callAs(token, handlerOf(contract), contract, {
          params: sampleParams(contract),
          query: sampleQuery(contract),
          body: sampleBody(contract),
        })
        // nothing listens at the address of the sample, and the sample of a file has nobody: the call was made
        const wasMade = /"(?:providerConnection|userImportNothing)"/.test(JSON.stringify(body))
        const verdict = status === 401 || status === 403 ? status : 'allowed'
        const challenge = headers.get('www-authenticate')
        if (verdict !== expected || (status === 400 && !wasMade) || status >= 500)
          faults.push(`by ${heldMethods.slice(0, 3)}: ${status} ${JSON.stringify(body)}`)
        if (expected === 403 && challenge !== 'Bearer error="insufficient_scope"') faults.push(`it says ${challenge}`)
      }
      expect(faults).toEqual([])
    },
  )

  test('calls of every kind are among them', () => {
    const names = guarded.map(({ name }) => name)
    expect(names).toEqual(
      expect.arrayContaining(['listDeviceTypes', 'createDeviceType', 'listNetworkAliases', 'listSessions']),
    )
  })
})
