'use client'

import { useTranslations } from 'next-intl'
import { fieldsOf } from '@/components/form/field-name'
import { Form, FormErrors } from '@/components/form/form'
import { FormCheckbox } from '@/components/form/form-choice'
import { SubmitButton } from '@/components/form/submit-button'
import { useContractForm } from '@/components/form/use-contract-form'
import { useErrorText } from '@/components/form/use-error-text'
import { leaveNow } from '@/components/ui/leaving'
import type { startClientTrial } from '@/lib/openid/trials/contract'
import { trialScopes } from '@/lib/openid/trials/scopes'

const contract = () => import('@/lib/openid/trials/contract').then((calls) => calls.startClientTrial)

type Values = Record<(typeof trialScopes)[number], boolean>

/** The form that chooses what the trial requests, and opens the sign-in. */
export function TrialForm({ clientId, again }: { clientId: string; again: boolean }) {
  const t = useTranslations('client-trial')
  const form = useContractForm<typeof startClientTrial, Values>(contract, {
    parts: { params: { clientId } },
    defaultValues: Object.fromEntries(trialScopes.map((scope) => [scope, true])) as Values,
    toBody: (values) => ({ scopes: trialScopes.filter((scope) => values[scope]) }),
    quiet: true,
    onDone: ({ address }) => leaveNow(() => window.location.assign(address)),
  })
  const field = fieldsOf(form)
  return (
    <Form form={form} className="grid min-w-0 gap-5 rounded-card border border-line bg-surface p-4 @min-[40rem]:p-5">
      <FormErrors />
      <fieldset className="grid gap-x-6 gap-y-3 @min-[34rem]:grid-cols-2 @min-[52rem]:grid-cols-3">
        <legend className="mb-3 text-section">{t('scopes')}</legend>
        {trialScopes.map((scope) => (
          <FormCheckbox key={scope} name={field(scope)} label={t(`scopeNames.${scope}`)} hint={scope} />
        ))}
      </fieldset>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <SubmitButton>{t(again ? 'again' : 'begin')}</SubmitButton>
        <p className="min-w-0 grow basis-60 text-ink-second text-note">{t('note')}</p>
      </div>
    </Form>
  )
}

/** Why the client can't be tried, as the call says. */
export function Barred({ code }: { code: string }) {
  return useErrorText()(code)
}
