'use client'

import { Plus } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useContractForm } from '@/components/form/use-contract-form'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { createNetworkAlias } from '@/lib/platform/network-aliases/contract'
import { AliasForm, emptyRow } from './alias-form'

function NewAlias({ onDone }: { onDone: () => void }) {
  const t = useTranslations('ui')
  const form = useContractForm(createNetworkAlias, {
    defaultValues: { name: '', ips: [emptyRow()], comment: '' },
    onDone,
  })
  return <AliasForm form={form} verb={t('create')} />
}

/** The button that makes an alias, with its dialog. */
export function CreateAlias() {
  const t = useTranslations('network-aliases')
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Plus aria-hidden="true" className="size-4.5" />
        {t('create')}
      </Button>
      <Dialog open={open} onOpenChange={setOpen} title={t('createTitle')} text={t('dialogText')}>
        <NewAlias onDone={() => setOpen(false)} />
      </Dialog>
    </>
  )
}
