import { NextIntlClientProvider } from 'next-intl'
import { type ComponentProps, createElement } from 'react'
import { prerender } from 'react-dom/static'
import { expect, test } from 'vitest'
import { SignIn } from '@/app/platform/(auth)/login/_ui/sign-in'
import type { SignInView } from '@/app/platform/(auth)/login/_ui/view'
import { loadMessages } from '@/lib/base/i18n/messages'

const flows: ('credentials' | 'sms_code')[] = ['credentials', 'sms_code']
const begun = { idAttribute: 'login' as const, identifier: 'a.orlov', flows }

async function drawn(view: SignInView, idAttributes: ComponentProps<typeof SignIn>['idAttributes'] = ['login']) {
  const intl = { locale: 'ru', messages: await loadMessages('ru') } as ComponentProps<typeof NextIntlClientProvider>
  const page = createElement(SignIn, {
    ...{
      view,
      idAttributes,
      remembered: undefined,
      codeDigits: 4,
      noScript: null,
      providers: null,
      here: false,
      now: 0,
    },
    none: 'none',
    registration: createElement('a', { href: '/platform/registration' }, 'register'),
  })
  const { prelude } = await prerender(createElement(NextIntlClientProvider, intl, page))
  return new Response(prelude).text()
}

test('the way to a new account is at the first step alone: later ones are for somebody who has one', async () => {
  expect(await drawn({ step: 'id' })).toContain('/platform/registration')
  for (const step of flows) expect(await drawn({ step, ...begun })).not.toContain('/platform/registration')
  expect(await drawn({ step: 'terms', terms: [], flow: 'credentials', ...begun })).not.toContain(
    '/platform/registration',
  )
})
