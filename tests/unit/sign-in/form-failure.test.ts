import { expect, test, vi } from 'vitest'
import { formFailure } from '@/app/platform/(auth)/_ui/form-failure'
import { choiceForms } from '@/lib/my-account/settings/forms'
import { signOutForms } from '@/lib/sign-in/attempts/sign-out-form'

const outcome = { status: 400, code: 'formExpired', data: {}, values: [] }
let form = ''
vi.mock('@/lib/request/page', () => ({ pageOutcome: async () => ({ ...outcome, form }) }))

test('a failure of the forms that every page has is none of the step, and others are', async () => {
  for (form of Object.keys({ ...choiceForms.forms, ...signOutForms.forms }))
    expect(await formFailure(), form).toBeNull()
  // the form can't be told from a body that was refused
  for (form of ['identify', '']) expect(await formFailure(), form).toMatchObject({ failure: { code: 'formExpired' } })
})
