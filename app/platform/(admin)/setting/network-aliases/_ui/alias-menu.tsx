'use client'

import { Eye, Pencil, Trash2 } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useContractForm } from '@/components/form/use-contract-form'
import { useWrite } from '@/components/form/use-write'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { Dialog, DialogBody, DialogCancel, DialogFooter } from '@/components/ui/dialog'
import { KeyValue, KeyValues } from '@/components/ui/key-values'
import { MenuItem, MenuSeparator } from '@/components/ui/menu'
import { Mono } from '@/components/ui/mono'
import { RowMenu } from '@/components/ui/row-menu'
import { deleteNetworkAlias, type NetworkAlias, updateNetworkAlias } from '@/lib/platform/network-aliases/contract'
import { AliasForm } from './alias-form'

function EditAlias({ alias, onDone }: { alias: NetworkAlias; onDone: () => void }) {
  const t = useTranslations('ui')
  const { id, name, ips, comment, updatedAt } = alias
  const form = useContractForm(updateNetworkAlias, {
    parts: { params: { id } },
    defaultValues: { name, ips, comment, updatedAt },
    onDone,
  })
  return <AliasForm form={form} verb={t('save')} />
}

/** The alias with all of its addresses, for those who may only read. */
function AliasView({ ips, comment }: NetworkAlias) {
  const t = useTranslations('network-aliases')
  return (
    <>
      <DialogBody label={t('addresses')} className="grid content-start gap-5">
        <KeyValues>
          {ips.map((address) => (
            <KeyValue key={address.ip} label={address.comment || t('ip')}>
              <Mono>{address.ip}</Mono>
            </KeyValue>
          ))}
        </KeyValues>
        {comment ? <p className="text-ink-second">{comment}</p> : null}
      </DialogBody>
      <DialogFooter>
        <DialogCancel>{t('gotIt')}</DialogCancel>
      </DialogFooter>
    </>
  )
}

/** Why an alias can't go, and from where it must be taken first. */
function AliasUsage({ usedIn }: NetworkAlias) {
  const t = useTranslations('network-aliases')
  return (
    <>
      <DialogBody className="grid gap-3">
        <p>{t('keepText')}</p>
        <ul className="grid list-disc gap-1 pl-5">
          {usedIn.map(({ place, count }) => (
            <li key={place}>{t(`usage.${place}`, { count })}</li>
          ))}
        </ul>
      </DialogBody>
      <DialogFooter>
        <DialogCancel>{t('gotIt')}</DialogCancel>
      </DialogFooter>
    </>
  )
}

/** What can be done with an alias: look at it, or change and delete it. */
export function AliasMenu({ alias, mayWrite }: { alias: NetworkAlias; mayWrite: boolean }) {
  const t = useTranslations('network-aliases')
  const [dialog, setDialog] = useState<'view' | 'edit' | 'delete' | null>(null)
  const { write, reason } = useWrite(deleteNetworkAlias, { failure: 'inside' })
  const { id, name, usedIn } = alias
  const used = usedIn.length > 0
  const close = () => setDialog(null)
  const remove = async () => {
    const outcome = await write({ params: { id } })
    return outcome?.ok === false ? reason(outcome.error) : undefined
  }
  return (
    <>
      <RowMenu row={name}>
        {mayWrite ? (
          <>
            <MenuItem onSelect={() => setDialog('edit')}>
              <Pencil aria-hidden="true" className="size-4" />
              {t('edit')}
            </MenuItem>
            <MenuSeparator />
            <MenuItem tone="danger" onSelect={() => setDialog('delete')}>
              <Trash2 aria-hidden="true" className="size-4" />
              {t('delete')}
            </MenuItem>
          </>
        ) : (
          <MenuItem onSelect={() => setDialog('view')}>
            <Eye aria-hidden="true" className="size-4" />
            {t('view')}
          </MenuItem>
        )}
      </RowMenu>
      <Dialog open={dialog === 'view'} onOpenChange={close} title={t('editTitle', { name })}>
        <AliasView {...alias} />
      </Dialog>
      <Dialog
        open={dialog === 'edit'}
        onOpenChange={close}
        title={t('editTitle', { name })}
        text={used ? t('usedText') : t('dialogText')}
      >
        <EditAlias alias={alias} onDone={close} />
      </Dialog>
      <Dialog open={dialog === 'delete' && used} onOpenChange={close} size="S" title={t('keepTitle', { name })}>
        <AliasUsage {...alias} />
      </Dialog>
      <ConfirmDialog
        open={dialog === 'delete' && !used}
        onOpenChange={close}
        title={t('deleteTitle', { name })}
        text={t('deleteText')}
        confirm={t('delete')}
        onConfirm={remove}
      />
    </>
  )
}
