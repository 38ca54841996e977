'use client'

import { RotateCw } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { ActionButton } from '@/components/form/action-button'
import { sends } from '@/components/form/actions'

const calls = () => import('@/lib/operations/failed-work/contract')
const retryMessage = () => calls().then((loaded) => loaded.retryMessage)
const retryJobs = () => calls().then((loaded) => loaded.retryJobs)

/** Sends a message again; `name` identifies it. */
export function RetryMessage({ id, name }: { id: string; name: string }) {
  const t = useTranslations('overview.failedMessages')
  return (
    <ActionButton
      name={t('retryNamed', { message: name })}
      action={{ kind: 'call', label: t('retry'), icon: RotateCw, sends: sends(retryMessage, { params: { id } }) }}
    />
  )
}

/** Runs the jobs of a kind again; `name` is what people call it. */
export function RetryJobs({ task, name }: { task: string; name: string }) {
  const t = useTranslations('overview.failedJobs')
  return (
    <ActionButton
      name={t('retryNamed', { task: name })}
      action={{ kind: 'call', label: t('retry'), icon: RotateCw, sends: sends(retryJobs, { params: { task } }) }}
    />
  )
}
