'use client'

import { useTranslations } from 'next-intl'
import { useEffect, useState } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import { Alert } from '@/components/ui/alert'
import { call } from '@/lib/base/http/client'
import { type Loss, previewContractor } from '@/lib/companies/contractors/contract'

/** Says, before the form is saved, what people lose with the removed organizations. */
export function LossWarning({ id }: { id: string }) {
  const t = useTranslations('contractors')
  const { formState } = useFormContext()
  const chosen = useWatch({ name: 'availableOrganizations' }) as string[] | undefined
  const [loss, setLoss] = useState<Loss | 'failed' | null>(null)
  const previous = (formState.defaultValues?.availableOrganizations ?? []) as string[]
  const removesSome = previous.some((organizationId) => !chosen?.includes(organizationId))
  const key = [...(chosen ?? [])].sort().join()
  useEffect(() => {
    if (!removesSome) {
      setLoss(null)
      return
    }
    let current = true
    const ids = key ? key.split(',') : undefined
    call(previewContractor, { params: { id }, query: ids ? { availableOrganizations: ids } : {} })
      .then((preview) => current && setLoss(preview))
      .catch(() => current && setLoss('failed'))
    return () => {
      current = false
    }
  }, [id, key, removesSome])
  return (
    <div role="status">
      {loss === 'failed' ? <Alert tone="warning">{t('lossFailed')}</Alert> : null}
      {loss && loss !== 'failed' && loss.roles > 0 ? (
        <Alert tone={loss.allowed ? 'warning' : 'danger'} title={t('lossTitle', { people: loss.people })}>
          <ul className="grid gap-0.5">
            {loss.organizations.map(({ id, name, people, roles }) => (
              <li key={id}>{t('lossLine', { name, people, roles })}</li>
            ))}
          </ul>
          <p>{t(loss.allowed ? 'lossText' : 'lossDenied')}</p>
        </Alert>
      ) : null}
    </div>
  )
}
