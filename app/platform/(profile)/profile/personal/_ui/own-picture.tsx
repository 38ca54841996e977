'use client'

import { useRef } from 'react'
import { useFilling } from '@/components/card/use-filling'
import { PictureField } from '@/components/form/picture-field'

const load = async () => {
  const { patchProfilePicture, deleteProfilePicture } = await import('@/lib/my-account/personal/contract')
  return { replace: patchProfilePicture, remove: deleteProfilePicture }
}

/** The picture in a field of the own profile. */
export function OwnPicture(props: { title: string; code: string; picture: string | null; missing: string | null }) {
  const { code, ...field } = props
  const box = useRef<HTMLDivElement>(null)
  // only the person themselves can open the file dialog
  useFilling([code], () => box.current?.querySelector('button')?.focus())
  return (
    <div ref={box} className="contents">
      <PictureField {...field} load={load} params={{ code }} />
    </div>
  )
}
