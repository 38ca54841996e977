'use client'

import { Search } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { type ComponentType, useLayoutEffect, useRef, useState } from 'react'
import type { PaletteDialogProps, PaletteProps } from './palette-dialog'

const load = () => import('./palette-dialog')

type Keys = Pick<KeyboardEvent, 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey' | 'code' | 'key'>

/** Returns whether a key is Ctrl+K or ⌘K: the key at the place of K in any layout, or the key with the letter K. */
export const isPaletteKey = ({ ctrlKey, metaKey, altKey, shiftKey, code, key }: Keys) =>
  ctrlKey !== metaKey && !altKey && !shiftKey && (code === 'KeyK' || key.toLowerCase() === 'k')

/** Opens the search over pages, services and actions, by its button or by Ctrl+K in any keyboard layout. */
export function Palette(props: PaletteProps) {
  const t = useTranslations('shell.palette')
  const [Dialog, setDialog] = useState<ComponentType<PaletteDialogProps> | null>(null)
  const [open, setOpen] = useState(false)
  const [mac, setMac] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const isOpen = useRef(false)
  isOpen.current = open
  const show = async () => {
    const { PaletteDialog } = await load()
    setDialog(() => PaletteDialog)
    setOpen(true)
  }
  // the button's shortcut works with the button's hydration: until then the pre-hydration script records it (ADR 36)
  useLayoutEffect(() => {
    setMac(/Mac|iP(hone|ad)/.test(navigator.userAgent))
    const listen = (event: KeyboardEvent) => {
      if (!isPaletteKey(event)) return
      event.preventDefault()
      // a modal dialog is open, which hides the page from screen readers: the person must answer it first
      if (!isOpen.current && button.current?.closest('[aria-hidden=true]')) return
      load().then(({ PaletteDialog }) => {
        setDialog(() => PaletteDialog)
        setOpen((before) => !before)
      })
    }
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={show}
        onPointerEnter={load}
        className="flex size-11 shrink-0 cursor-pointer items-center justify-center gap-4 rounded-control text-ink-second text-table transition-colors hover:bg-sunken hover:text-ink sm:h-9 sm:w-auto sm:border sm:border-line-strong sm:bg-surface sm:px-2.5 sm:hover:border-ink-second sm:hover:bg-surface sm:pointer-coarse:h-11"
      >
        <span className="flex items-center gap-2">
          <Search aria-hidden="true" strokeWidth={1.75} className="size-5 sm:size-4" />
          <span className="max-sm:sr-only">{t('open')}</span>
        </span>
        <span aria-hidden="true" className="font-sans text-note max-sm:hidden pointer-coarse:hidden">
          {mac ? '⌘K' : 'Ctrl K'}
        </span>
      </button>
      {Dialog ? <Dialog {...props} open={open} onOpenChange={setOpen} /> : null}
    </>
  )
}
