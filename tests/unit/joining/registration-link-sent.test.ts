import { createElement } from 'react'
import { expect, test, vi } from 'vitest'
import { LinkSent } from '@/app/platform/(auth)/registration/_ui/link-sent'
import { registrationLink } from '@/lib/joining/registration/contract'
import { registrationForms } from '@/lib/joining/registration/forms'
import { drawn } from '../../factories/server-part'

vi.mock('next-intl/server', async () => (await import('../../factories/server-part')).serverIntl)
vi.mock('@/lib/request/page', () => ({ pageFormToken: async () => 'token' }))

test.each(['request', 'change'])('the form %s sends again all that the link was requested with', async (form) => {
  const asked = Object.keys(registrationLink.body?.shape ?? {}).flatMap((name) =>
    name === 'termsAgree' ? ['document', 'agreed'] : [name],
  )
  expect(registrationForms.forms[form]?.keeps).toEqual(expect.arrayContaining(asked))
  const all = (field: string) => [`${field} 1`, `${field} 2`]
  const sent = { all, typed: (field: string) => all(field)[0], has: () => true, resendAt: 0, again: false }
  const page = await drawn('en', createElement(LinkSent, { sent, alive: 3600, failed: null }))
  const html = page.split('<form').find((each) => each.includes(`name="form" value="${form}"`)) ?? ''
  const inputs = [...html.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value])
  for (const name of asked) expect(inputs).toEqual(expect.arrayContaining(all(name).map((value) => [name, value])))
})
