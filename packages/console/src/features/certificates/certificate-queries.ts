import { endpoints } from '@portcullis/contract/api';
import type { Certificate, CertificateUpload } from '@portcullis/contract/certificates';
import { useIsMutating, useMutation, useQueryClient } from '@tanstack/react-query';
import { toast } from '../../components/toast.ts';
import { call, errorText } from '../../lib/api/index.ts';
import { messages } from '../../lib/messages/index.ts';
import { certificatesQuery } from '../../lib/queries/index.ts';

const words = messages.certificates;
const issueKey = (siteId: string) => ['issue-certificate', siteId];

/** Uploads a chain and its key for a site. */
export function useUpload(onSaved: (siteId: string) => void, onFailed: (error: unknown) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ siteId, body }: { siteId: string; body: CertificateUpload }) =>
      call(endpoints.certificates.upload, { params: { id: siteId }, body }),
    onSuccess: (_saved, { siteId }) => {
      toast.success(words.uploaded);
      onSaved(siteId);
    },
    onError: (error) => {
      toast.error(errorText(error, words.uploadFailed));
      onFailed(error);
    },
    onSettled: () => client.invalidateQueries({ queryKey: certificatesQuery.queryKey }),
  });
}

/** Asks the authority for a certificate; the answer comes when all its steps are through. */
export function useIssue(siteId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationKey: issueKey(siteId),
    mutationFn: () => call(endpoints.certificates.issue, { params: { id: siteId } }),
    onSuccess: (issued: Certificate) => {
      if (issued.steps.at(-1)?.status === 'failed') toast.error(words.issueFailed);
      else toast.success(words.issued);
    },
    onError: (error) => toast.error(errorText(error, words.issueFailed)),
    onSettled: () => client.invalidateQueries({ queryKey: certificatesQuery.queryKey }),
  });
}

/** @returns whether this console is asking for a certificate of the site */
export function useIssuing(siteId: string): boolean {
  return useIsMutating({ mutationKey: issueKey(siteId) }) > 0;
}

/** Deletes the certificate of a site. */
export function useRemove() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (siteId: string) => call(endpoints.certificates.remove, { params: { id: siteId } }),
    onSuccess: () => toast.success(words.removed),
    onError: (error) => toast.error(errorText(error, words.removeFailed)),
    onSettled: () => client.invalidateQueries({ queryKey: certificatesQuery.queryKey }),
  });
}
