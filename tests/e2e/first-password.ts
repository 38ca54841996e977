import type { BrowserContext } from '@playwright/test'
import { expect } from './fixtures'
import { person } from './people'
import { password } from './sign-in-page'

/**
 * Creates an account that must set its first password, and signs the browser in as far as it gets. Returns the account
 * and the path of the page that sets the password.
 */
export async function firstPassword(context: BrowserContext) {
  const user = await person(['credentials'], [], { passwordChangeRequired: true })
  const { login } = user
  const path = `${process.env.PUBLIC_URL}/api/v1/platform/auth`
  await context.request.get(`${path}/config/login`, { params: { login } })
  const answer = await context.request.post(`${path}/login/login`, {
    data: { flow: 'credentials', login, password },
    headers: { origin: process.env.PUBLIC_URL ?? '' },
  })
  const { next, setPassword } = await answer.json()
  expect(next).toBe('set_password')
  return { user, path: `/platform/login/password/${setPassword}` }
}
