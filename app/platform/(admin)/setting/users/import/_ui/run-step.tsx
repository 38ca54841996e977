'use client'

import { useTranslations } from 'next-intl'
import { LiveBatchJob } from '@/components/batch-job/live-run'
import { Button } from '@/components/ui/button'
import { buttonClasses } from '@/components/ui/button-classes'
import { resumeUserImport, startUserImport, stopUserImport } from '@/lib/account-administration/user-import/contract'
import { wizardButtons } from './choices'

const calls = () => Promise.resolve({ stop: stopUserImport, resume: resumeUserImport })

/** The import while it writes, and afterwards the rows that it couldn't write. */
export function RunStep({ id, onAnother }: { id: string; onAnother: () => void }) {
  const t = useTranslations('user-import')
  return (
    <>
      <LiveBatchJob
        id={id}
        path={startUserImport.path}
        calls={calls}
        title={t('runTitle')}
        counts={({ done, failed }) => t('counts', { done, failed })}
        note={t('runNote')}
      />
      <div className={wizardButtons}>
        <Button variant="secondary" onClick={onAnother}>
          {t('another')}
        </Button>
        <a href="/platform/setting/users" className={buttonClasses({ variant: 'secondary' })}>
          {t('toUsers')}
        </a>
      </div>
    </>
  )
}
