import { type RefObject, useEffect, useRef } from 'react'

/** When a save ends, the focus goes to the first field that the server refused: its message may be out of view. */
export function useFocusOfRefusedField(form: RefObject<HTMLElement | null>, isSaving: boolean): void {
  const wasSaving = useRef(isSaving)
  useEffect(() => {
    if (wasSaving.current && !isSaving) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
    wasSaving.current = isSaving
  }, [form, isSaving])
}
