'use client'

import { useLocale, useTranslations } from 'next-intl'
import { useMemo } from 'react'
import { useFormContext } from 'react-hook-form'
import type { Created } from '@/components/form/create-button'
import { DialogForm } from '@/components/form/dialog-form'
import { type BodyOf, fieldsOf } from '@/components/form/field-name'
import { FormCombobox } from '@/components/form/form-combobox'
import { FormRows } from '@/components/form/form-rows'
import { FormText } from '@/components/form/form-text'
import { useContractForm } from '@/components/form/use-contract-form'
import { useRead } from '@/components/form/use-read'
import { type Search, searchIn } from '@/components/form/use-search'
import { Alert } from '@/components/ui/alert'
import { DialogBody } from '@/components/ui/dialog'
import type { CallOutput } from '@/lib/base/contracts/contract'
import { call } from '@/lib/base/http/client'
import { localName } from '@/lib/base/i18n/local-name'
import { companiesAtMost, createAccessRequests, listAvailableRoles } from '@/lib/companies/access-requests/contract'

type Roles = CallOutput<typeof listAvailableRoles>['roles']
type Values = BodyOf<typeof createAccessRequests>
type Props = { application: string | undefined; onDone: (created?: Created) => void }

const emptyRow = () => ({ name: '', inn: '', kpp: '', roles: [] as string[] })

/** Requests access to companies. It reads the roles first, so that those of the application can be chosen. */
export function AskForm({ application, onDone }: Props) {
  const t = useTranslations('access-requests')
  const { read: roles } = useRead(async () => (await call(listAvailableRoles)).roles)
  if (roles === null || roles === 'failed')
    return (
      <DialogBody className="grid min-h-40 content-center">
        {roles === null ? (
          <p role="status" className="text-center text-ink-second">
            {t('readingRoles')}
          </p>
        ) : (
          <Alert tone="danger">{t('rolesFailed')}</Alert>
        )}
      </DialogBody>
    )
  return <Companies roles={roles} application={application} onDone={onDone} />
}

function Companies({ roles, application, onDone }: Props & { roles: Roles }) {
  const t = useTranslations('access-requests')
  const locale = useLocale()
  const wished = roles.filter(({ services }) => services.some(({ code }) => code === application))
  const service = wished.flatMap(({ services }) => services).find(({ code }) => code === application)
  const search = useMemo<Search>(() => {
    const list = new Intl.ListFormat(locale, { type: 'unit' })
    return searchIn(
      roles.map(({ roleId, name, comment, services }) => {
        const opens = list.format(services.map((each) => localName(each, locale)))
        return { value: roleId, label: name, ...(opens || comment ? { note: opens || comment } : {}) }
      }),
    )
  }, [roles, locale])
  const form = useContractForm<typeof createAccessRequests, Values>(createAccessRequests, {
    defaultValues: { companies: [{ ...emptyRow(), roles: wished.map(({ roleId }) => roleId) }] },
    onDone: ({ requests: [first] }) => onDone(first ? { id: first.requestId } : undefined),
  })
  const chosen = roles.map(({ roleId, name }) => ({ value: roleId, label: name }))
  return (
    <DialogForm form={form} verb={t('send')}>
      {service ? <Alert tone="info">{t('forService', { service: localName(service, locale) })}</Alert> : null}
      <FormRows
        name={fieldsOf(form)('companies')}
        label={t('companies')}
        rowLabel={t('company')}
        hint={t('companiesHint')}
        addLabel={t('addCompany')}
        empty={emptyRow}
        min={1}
        max={companiesAtMost}
      >
        {(row, index) => (
          <div className="@container grid gap-3">
            <FormText name={row('name')} label={t('companyName')} maxLength={255} />
            <div className="grid items-start gap-3 @min-[24rem]:grid-cols-2">
              <FormText
                mono
                inputMode="numeric"
                name={row('inn')}
                label={t('inn')}
                hint={t('innHint')}
                maxLength={32}
              />
              <FormText mono name={row('kpp')} label={t('kpp')} hint={t('kppHint')} maxLength={32} />
            </div>
            {roles.length > 0 ? (
              <FormCombobox
                multiple
                name={row('roles')}
                label={t('wishedRoles')}
                hint={t('wishedRolesHint')}
                search={search}
                chosen={chosen}
              />
            ) : null}
            {index > 0 ? <SameRoles index={index} /> : null}
          </div>
        )}
      </FormRows>
    </DialogForm>
  )
}

/** Copies the roles of the company above. */
function SameRoles({ index }: { index: number }) {
  const t = useTranslations('access-requests')
  const { getValues, setValue, watch } = useFormContext<Values>()
  const [roles, rolesAbove] = watch([`companies.${index}.roles`, `companies.${index - 1}.roles`])
  if (!rolesAbove?.length || roles?.length) return null
  return (
    <button
      type="button"
      onClick={() =>
        setValue(`companies.${index}.roles`, getValues(`companies.${index - 1}.roles`) ?? [], { shouldDirty: true })
      }
      className="min-h-9 cursor-pointer justify-self-start text-brand text-table underline-offset-4 hover:underline"
    >
      {t('sameRoles')}
    </button>
  )
}
