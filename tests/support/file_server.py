#!/usr/bin/env python3
"""Serves the files of FOLDER/www over HTTP on the loopback, with range requests.

    file_server.py FOLDER

Writes the port to FOLDER/port once it listens, and the body bytes of each answer to FOLDER/access.log. A file
FOLDER/500, FOLDER/404, FOLDER/html or FOLDER/slow selects that fault for all requests."""
import http.server
import os
import pathlib
import re
import sys
import threading
import time

root = pathlib.Path(sys.argv[1])
log_lock = threading.Lock()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'

    def log_message(self, *arguments):
        pass

    def do_HEAD(self):
        self.answer(False)

    def do_GET(self):
        self.answer(True)

    def answer(self, with_body):
        for fault in ('500', '404'):
            if (root / fault).exists():
                return self.send(int(fault), b'<html>fault</html>', {}, with_body)
        path = root / 'www' / self.path.split('?')[0].lstrip('/')
        if (root / 'html').exists():
            path = root / 'www' / 'page.html'
        if '..' in path.parts or not path.is_file():
            return self.send(404, b'<html>not found</html>', {}, with_body)
        about = path.stat()
        size = about.st_size
        headers = {'Accept-Ranges': 'bytes', 'Last-Modified': self.date_time_string(about.st_mtime),
                   'ETag': f'"{about.st_mtime_ns:x}-{size:x}"'}
        wanted = re.fullmatch(r'bytes=(\d+)-(\d*)', self.headers.get('Range', ''))
        if not wanted:
            return self.send(200, path.read_bytes(), headers, with_body)
        first, last = int(wanted[1]), min(int(wanted[2]) if wanted[2] else size - 1, size - 1)
        if first > last:
            return self.send(416, b'', {'Content-Range': f'bytes */{size}'}, with_body)
        with path.open('rb') as file:
            file.seek(first)
            body = file.read(last - first + 1)
        headers['Content-Range'] = f'bytes {first}-{last}/{size}'
        self.send(206, body, headers, with_body)

    def send(self, status, body, headers, with_body):
        sent = 0
        try:
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header('Content-Length', str(len(body)))
            self.end_headers()
            if with_body:
                while sent < len(body):
                    slow = (root / 'slow').exists()
                    piece = body[sent:sent + (1 if slow else 1 << 16)]
                    self.wfile.write(piece)
                    sent += len(piece)
                    if slow:
                        self.wfile.flush()
                        time.sleep(1)
        except OSError:
            self.close_connection = True
        with log_lock, open(root / 'access.log', 'a') as log:
            log.write(f'{sent}\n')


server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
server.daemon_threads = True
(root / 'port.part').write_text(str(server.server_address[1]))
os.rename(root / 'port.part', root / 'port')
server.serve_forever()
