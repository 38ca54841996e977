'use client'

import { useTranslations } from 'next-intl'
import { useWatch } from 'react-hook-form'
import type { z } from 'zod'
import { fieldsOf } from '@/components/form/field-name'
import { FormText } from '@/components/form/form-text'
import type { FormOf } from '@/components/form/use-contract-form'
import { type requisiteInputs, requisiteWarnings } from '@/lib/companies/requisites'

type Values = z.input<z.ZodObject<typeof requisiteInputs>>

type Props = {
  form: FormOf<Values>
  /** Shown below other fields, with a heading of its own. */
  titled?: boolean
  /** An INN of ten digits needs a KPP, as that of a contractor does. */
  kppNeeded?: boolean
}

/** The requisites of an organization or a contractor, in the form of a call that takes `requisiteInputs`. */
export function RequisiteFields({ form, titled = false, kppNeeded = false }: Props) {
  const t = useTranslations('requisites')
  const field = fieldsOf(form)
  const [inn, ogrn] = useWatch({ name: ['inn', 'ogrn'] }) as (string | undefined)[]
  const warnings = requisiteWarnings({ inn, ogrn })
  const number = { mono: true, inputMode: 'numeric', maxLength: 32 } as const
  return (
    <fieldset className={titled ? '@container border-line border-t pt-5' : '@container'}>
      <legend className="sr-only">{t('title')}</legend>
      {titled ? (
        <p aria-hidden="true" className="mb-4 font-semibold">
          {t('title')}
        </p>
      ) : null}
      <div className="grid items-start gap-5 @min-[28rem]:grid-cols-2">
        <FormText
          {...number}
          name={field('inn')}
          label={t('inn')}
          hint={t('innHint')}
          warning={warnings.inn && t(warnings.inn)}
        />
        <FormText
          mono
          name={field('kpp')}
          label={t('kpp')}
          hint={t(kppNeeded ? 'kppNeededHint' : 'kppHint')}
          maxLength={32}
        />
        <FormText
          {...number}
          name={field('ogrn')}
          label={t('ogrn')}
          hint={t('ogrnHint')}
          warning={warnings.ogrn && t(warnings.ogrn)}
        />
        <FormText {...number} name={field('okpo')} label={t('okpo')} hint={t('okpoHint')} />
        <FormText
          mono
          name={field('registrationNumber')}
          label={t('registrationNumber')}
          hint={t('foreignHint')}
          maxLength={64}
        />
        <FormText mono name={field('taxNumber')} label={t('taxNumber')} hint={t('foreignHint')} maxLength={64} />
        <FormText
          mono
          name={field('externalCode')}
          label={t('externalCode')}
          hint={t('externalCodeHint')}
          maxLength={64}
        />
      </div>
    </fieldset>
  )
}
