'use client'

import { PictureField } from '@/components/form/picture-field'

const load = async () => {
  const { patchProfilePicture, deleteProfilePicture } = await import('@/lib/profile/personal/contract')
  return { replace: patchProfilePicture, remove: deleteProfilePicture }
}

/** The picture in a field of the own profile. */
export function OwnPicture(of: { title: string; code: string; picture: string | null; missing: string | null }) {
  const { code, ...field } = of
  return <PictureField {...field} load={load} params={{ code }} />
}
